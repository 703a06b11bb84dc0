"""Runs the statements of its input on the database that it is given, and shows every row."""

import sqlite3
import sys

database = sqlite3.connect(sys.argv[1], isolation_level=None)
statement = ""
try:
    # Line ends are the input's own: a text may hold others.
    for line in sys.stdin.buffer.read().decode().split("\n"):
        statement += line + "\n"
        if sqlite3.complete_statement(statement):
            for row in database.execute(statement):
                print(*("" if value is None else value for value in row), sep="|")
            statement = ""
    if statement.strip():
        database.executescript(statement)
except (sqlite3.Error, sqlite3.Warning, ValueError) as error:
    sys.exit(f"{error}: {statement}")
