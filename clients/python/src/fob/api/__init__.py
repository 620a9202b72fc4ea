# Written by generate.py out of the OpenAPI document.
"""Every operation of the HTTP API, by its part: a function makes the request that
`Client.ask` and `AsyncClient.ask` send."""
from . import (
    account,
    accounts,
    affirmations,
    bench,
    check_in_series,
    check_ins,
    contacts,
    devices,
    exercises,
    feed,
    help,
    incidents,
    log,
    messages,
    notifications,
    protection,
    reviews,
    service,
    session,
    shared,
    statistics,
    status,
    triggers,
)

__all__ = [
    "account", "accounts", "affirmations", "bench", "check_in_series", "check_ins", "contacts",
    "devices", "exercises", "feed", "help", "incidents", "log", "messages", "notifications",
    "protection", "reviews", "service", "session", "shared", "statistics", "status", "triggers",
]
