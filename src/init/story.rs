//! What the example behind each flow is called and carries, until the user puts in their own.

use crate::model::Flow;

/// The words of a flow's example.
#[derive(Debug)]
pub(super) struct Story {
    /// The template.
    pub template: &'static str,
    /// The team that consumes.
    pub team: &'static str,
    /// The field that names the business act.
    pub business_id: &'static str,
    /// What makes an effect the same one.
    pub key: &'static [&'static str],
    /// The fields of a message beside its id and version, with their types.
    pub fields: &'static [(&'static str, &'static str)],
    /// Whether the effect is outside the database that holds the keys.
    pub external: bool,
}

/// The story of a flow.
pub(super) fn of(flow: Flow) -> Story {
    match flow {
        Flow::Money => Story {
            template: "money",
            team: "payments",
            business_id: "payment_intent_id",
            key: &["payment_intent_id"],
            fields: &[("payment_intent_id", "string"), ("amount_minor", "integer"), ("currency", "string")],
            external: true,
        },
        Flow::Notification => Story {
            template: "notification",
            team: "messaging",
            business_id: "trigger_id",
            key: &["user_id", "template", "trigger_id"],
            fields: &[("user_id", "string"), ("template", "string"), ("trigger_id", "string")],
            external: true,
        },
        Flow::Telemetry => Story {
            template: "telemetry",
            team: "insights",
            business_id: "sensor_id",
            key: &["event_id"],
            fields: &[("sensor_id", "string"), ("reading", "number")],
            external: false,
        },
        Flow::Audit => Story {
            template: "audit",
            team: "compliance",
            business_id: "act_id",
            key: &["act_id"],
            fields: &[
                ("act_id", "string"),
                ("actor", "string"),
                ("act", "string"),
                ("acted_at", "timestamp"),
            ],
            external: false,
        },
        Flow::Task => Story {
            template: "task",
            team: "workers",
            business_id: "request_id",
            key: &["request_id"],
            fields: &[("request_id", "string"), ("work", "string")],
            external: false,
        },
    }
}

/// The one queue that the example of money is written for; its names need no guess.
pub(super) const TOUR: &str = "payment-capture";
