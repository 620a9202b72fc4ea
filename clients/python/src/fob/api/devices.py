# Written by generate.py out of the OpenAPI document.
"""The part devices of the API."""
import typing

from ..request import Request
from .shared import Device
from .shared import Done


class _GetByIdClaimAnswer(typing.TypedDict):
    device: str
    owner: typing.Union[str, None]


class GetByIdClaimAnswer(_GetByIdClaimAnswer, total=False):
    account: int


class PutByIdClaimBody(typing.TypedDict, total=False):
    email: str
    pin: str


class DeleteByIdClaimBody(typing.TypedDict, total=False):
    pin: str


class PutByIdPairingBody(typing.TypedDict, total=False):
    label: str
    pin: str


class DeleteByIdPairingBody(typing.TypedDict, total=False):
    pin: str


def get() -> "Request[typing.List[Device]]":
    """The account's keychains; of the first account those, too, that are linked and that nobody
    has claimed."""
    return Request(
        "GET",
        "/v1/devices",
        "json",
    )


def get_by_id_claim(
    id: str,
) -> "Request[GetByIdClaimAnswer]":
    """Whose a keychain is."""
    return Request(
        "GET",
        Request.path("/v1/devices/{id}/claim", id=id),
        "json",
    )


def put_by_id_claim(
    id: str,
    body: typing.Optional[PutByIdClaimBody] = None,
) -> "Request[Done]":
    """Takes a keychain into the account."""
    return Request(
        "PUT",
        Request.path("/v1/devices/{id}/claim", id=id),
        "json",
        body=body,
    )


def delete_by_id_claim(
    id: str,
    body: typing.Optional[DeleteByIdClaimBody] = None,
) -> "Request[Done]":
    """Lets go of a keychain: anybody may claim it."""
    return Request(
        "DELETE",
        Request.path("/v1/devices/{id}/claim", id=id),
        "json",
        body=body,
    )


def put_by_id_pairing(
    id: str,
    body: typing.Optional[PutByIdPairingBody] = None,
) -> "Request[Done]":
    """Pairs a keychain whose button has been held since its power-on; with the code of its
    label one that has its key from the factory, at a bridge on another host, too."""
    return Request(
        "PUT",
        Request.path("/v1/devices/{id}/pairing", id=id),
        "json",
        body=body,
    )


def delete_by_id_pairing(
    id: str,
    body: typing.Optional[DeleteByIdPairingBody] = None,
) -> "Request[Done]":
    """Ends the pairing of a keychain."""
    return Request(
        "DELETE",
        Request.path("/v1/devices/{id}/pairing", id=id),
        "json",
        body=body,
    )
