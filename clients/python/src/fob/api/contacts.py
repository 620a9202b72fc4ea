# Written by generate.py out of the OpenAPI document.
"""The part contacts of the API."""
import typing

from ..request import Request
from .shared import Done


class ContactNumber(typing.TypedDict):
    chosen: bool
    number: str


class _Contact(typing.TypedDict):
    id: str
    name: str
    numbers: typing.List[ContactNumber]


class Contact(_Contact, total=False):
    email: str
    language: str
    ways: typing.List[str]


class GetAnswer(typing.TypedDict):
    contacts: typing.List[Contact]
    total: int


class PostBodyNumber(typing.TypedDict):
    chosen: bool
    number: str


class _PostBody(typing.TypedDict):
    name: str
    numbers: typing.List[PostBodyNumber]


class PostBody(_PostBody, total=False):
    email: typing.Union[str, None]
    language: typing.Union[str, None]
    pin: str


class PostImportBodyTakeItem(typing.TypedDict):
    number: str
    person: int


class PostImportBody(typing.TypedDict, total=False):
    csv: str
    pin: str
    take: typing.List[PostImportBodyTakeItem]
    vcard: str


class PostImportAnswerPassedOverItem(typing.TypedDict):
    name: str
    person: int
    problem: str


class PostImportAnswerWrongItem(typing.TypedDict):
    name: str
    person: int
    problem: str


class PostImportAnswer(typing.TypedDict):
    added: typing.List[str]
    contacts: typing.List[Contact]
    passedOver: typing.List[PostImportAnswerPassedOverItem]
    total: int
    wrong: typing.List[PostImportAnswerWrongItem]


class PostImportPreviewBody(typing.TypedDict, total=False):
    csv: str
    pin: str
    vcard: str


PostImportPreviewAnswerPeopleItemNumberType = typing.Literal[
    "cell", "home", "work", "main", "other", "fax", "pager"
]


class _PostImportPreviewAnswerPeopleItemNumber(typing.TypedDict):
    chosen: bool
    types: typing.List[PostImportPreviewAnswerPeopleItemNumberType]
    written: str


class PostImportPreviewAnswerPeopleItemNumber(
    _PostImportPreviewAnswerPeopleItemNumber,
    total=False,
):
    number: str
    problem: str


class _PostImportPreviewAnswerPeopleItem(typing.TypedDict):
    name: str
    numbers: typing.List[PostImportPreviewAnswerPeopleItemNumber]
    person: int


class PostImportPreviewAnswerPeopleItem(_PostImportPreviewAnswerPeopleItem, total=False):
    contact: str
    duplicate: typing.Literal["name", "number"]
    email: str
    problem: str


class PostImportPreviewAnswerWrongItem(typing.TypedDict):
    name: str
    person: int
    problem: str


class PostImportPreviewAnswer(typing.TypedDict):
    people: typing.List[PostImportPreviewAnswerPeopleItem]
    total: int
    wrong: typing.List[PostImportPreviewAnswerWrongItem]


class PatchByIdBodyNumber(typing.TypedDict):
    chosen: bool
    number: str


class PatchByIdBody(typing.TypedDict, total=False):
    email: typing.Union[str, None]
    language: typing.Union[str, None]
    name: str
    numbers: typing.List[PatchByIdBodyNumber]
    pin: str


class DeleteByIdBody(typing.TypedDict, total=False):
    pin: str


def get() -> "Request[GetAnswer]":
    """Every contact."""
    return Request(
        "GET",
        "/v1/contacts",
        "json",
    )


def post(
    body: PostBody,
) -> "Request[Contact]":
    """Adds a contact with one chosen number; that needs no PIN."""
    return Request(
        "POST",
        "/v1/contacts",
        "json",
        body=body,
    )


def post_import(
    body: PostImportBody,
    *,
    fob_pin: typing.Optional[str] = None,
) -> "Request[PostImportAnswer]":
    """Adds those of a vCard or CSV file, or those that take names; a name that is there already
    is passed over."""
    return Request(
        "POST",
        "/v1/contacts/import",
        "json",
        body=body,
        headers=(("Fob-PIN", fob_pin),),
    )


def post_import_preview(
    body: PostImportPreviewBody,
) -> "Request[PostImportPreviewAnswer]":
    """The persons of a vCard or CSV file with their numbers; adds none."""
    return Request(
        "POST",
        "/v1/contacts/import/preview",
        "json",
        body=body,
    )


def patch_by_id(
    id: str,
    body: PatchByIdBody,
) -> "Request[Contact]":
    """Edits a contact."""
    return Request(
        "PATCH",
        Request.path("/v1/contacts/{id}", id=id),
        "json",
        body=body,
    )


def delete_by_id(
    id: str,
    body: typing.Optional[DeleteByIdBody] = None,
) -> "Request[Done]":
    """Removes a contact."""
    return Request(
        "DELETE",
        Request.path("/v1/contacts/{id}", id=id),
        "json",
        body=body,
    )
