# Written by generate.py out of the OpenAPI document.
"""The part notifications of the API."""
import typing

from ..request import Request
from .shared import Done


class GetAnswer(typing.TypedDict):
    # The line that is shown, by its own schedule: affirmationDue
    affirmations: bool
    # The page, and mail where it is on, say when a check-in asks
    checkIns: bool
    # That there is a review, a tip or a quote is mailed, too, and no word of it
    mails: bool
    # quoteDue each day
    quotes: bool
    # reviewDue a day after an alarm without a completed review, once; reviewOpen on Sundays while
    # one is in progress
    review: bool
    # as in 09:00, in the account's zone
    time: str
    # tipDue each day
    tips: bool


class PutBody(typing.TypedDict):
    # The line that is shown, by its own schedule: affirmationDue
    affirmations: bool
    # The page, and mail where it is on, say when a check-in asks
    checkIns: bool
    # That there is a review, a tip or a quote is mailed, too, and no word of it
    mails: bool
    # quoteDue each day
    quotes: bool
    # reviewDue a day after an alarm without a completed review, once; reviewOpen on Sundays while
    # one is in progress
    review: bool
    # as in 09:00, in the account's zone
    time: str
    # tipDue each day
    tips: bool


def get() -> "Request[GetAnswer]":
    """Which reminders the owner gets, each a log entry, and at what time of day."""
    return Request(
        "GET",
        "/v1/notifications",
        "json",
    )


def put(
    body: PutBody,
) -> "Request[Done]":
    """Switches each kind of reminder on or off; warning says where mails cannot be sent."""
    return Request(
        "PUT",
        "/v1/notifications",
        "json",
        body=body,
    )
