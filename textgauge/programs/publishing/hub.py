"""Uploads an assembled folder to its Space on the Hub: what changed, in one commit; and explains its refusals."""

import contextlib
import hashlib
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from huggingface_hub import CommitOperationAdd, CommitOperationDelete, HfApi, get_token
from huggingface_hub.errors import (
    EntryNotFoundError,
    HfHubHTTPError,
    HFValidationError,
    HTTPError,
    RepositoryNotFoundError,
)
from huggingface_hub.utils import validate_repo_id

from ..errors import InputError, input_errors_of
from .assembling import SUMS, read_sums

_MADE_BY_THE_HUB = {".gitattributes", "README.md"}


class Change(NamedTuple):
    """What an upload would do to a Space."""

    is_new: bool
    head: str | None  # the commit that the Space is at
    put: list[str]
    delete: list[str]

    @property
    def state(self) -> str:
        """Says in a word what happens to the Space."""
        return "new" if self.is_new else "changed" if self.put or self.delete else "same"


def compare(api: HfApi, folder: Path, repo_id: str) -> Change:
    """Returns the differences between a folder and its Space.

    Raises:
        InputError: the Space holds something else than an earlier upload.
    """
    paths = [path for path in sorted(folder.rglob("*")) if path.is_file()]
    local = {path.relative_to(folder).as_posix(): blob_id(path.read_bytes()) for path in paths}
    try:
        head = api.repo_info(repo_id, repo_type="space").sha
        remote = {
            entry.path: getattr(entry, "blob_id", None)
            for entry in api.list_repo_tree(repo_id, repo_type="space", recursive=True, revision=head)
        }
    except RepositoryNotFoundError:
        return Change(True, None, list(local), [])
    if SUMS in remote:
        path = Path(api.hf_hub_download(repo_id, SUMS, repo_type="space", revision=head))
        with input_errors_of(repo_id):
            written = read_sums(path.read_text(encoding="utf-8", errors="replace"))
    elif remote.keys() <= _MADE_BY_THE_HUB:  # nothing was uploaded yet
        written = {}
    else:
        raise InputError(f"{repo_id} is taken: a Space that this script did not publish; choose another --org")
    put = [path for path, blob in local.items() if remote.get(path) != blob]
    return Change(False, head, put, [path for path in written if path in remote and path not in local])


def upload(api: HfApi, folder: Path, repo_id: str, sdk: str, change: Change) -> None:
    """Makes the Space if it is new, and brings it up to date in one commit."""
    if change.is_new:
        with hub_messages(api, repo_id, sdk):
            api.create_repo(repo_id, repo_type="space", space_sdk=sdk)
    empty = f"; {repo_id} is an empty Space now; run this again to fill it" if change.is_new else ""
    if change.put or change.delete:
        puts = [CommitOperationAdd(path, folder / path) for path in change.put]
        deletes = [CommitOperationDelete(path) for path in change.delete]
        message = "Publish the metric" if change.is_new else "Update the metric"
        # a commit that somebody made since `compare` is not overwritten: the Hub refuses ours
        with hub_messages(api, repo_id, sdk, empty):
            api.create_commit(
                repo_id, [*puts, *deletes], commit_message=message, repo_type="space", parent_commit=change.head
            )


def blob_id(content: bytes) -> str:
    """Returns git's name for a file with this content."""
    return hashlib.sha1(b"blob %d\0" % len(content) + content).hexdigest()


def check_token() -> None:
    """Raises InputError if neither the environment nor a login holds a token."""
    if get_token() is None:
        raise InputError("there is no token for the Hub: set HF_TOKEN, or run `hf auth login`")


def check_repository(option: str, repo_id: str) -> None:
    """Raises InputError for what cannot be the name of a repository."""
    try:
        validate_repo_id(repo_id)
    except HFValidationError as error:
        raise InputError(f"{option} {repo_id}: {error}") from None


@contextlib.contextmanager
def hub_messages(api: HfApi, repo_id: str, sdk: str | None = None, left: str = "") -> Iterator[None]:
    """Turns what the Hub answers into an InputError that says what to do.

    Args:
        api: of the Hub.
        repo_id: of a Space, or of a model.
        sdk: of a Space.
        left: what the message has at its end: what is there now.
    """
    try:
        yield
    except HfHubHTTPError as error:
        raise InputError(_refusal(error, repo_id, sdk) + left) from None
    except (HTTPError, ConnectionError, EntryNotFoundError) as error:
        raise InputError(f"{api.endpoint} cannot be reached ({type(error).__name__}: {error}){left}") from None


def _refusal(error: HfHubHTTPError, repo_id: str, sdk: str | None) -> str:
    """Explains a status of the Hub."""
    owner = repo_id.partition("/")[0]
    free = "; --sdk static is free of charge" if sdk == "gradio" else ""
    or_propose = ", or propose it with --pull-request" if sdk is None else ""
    reasons = {
        401: "the Hub does not accept the token; make one at https://huggingface.co/settings/tokens, with write access",
        402: f"the Hub wants a paid plan for {repo_id}{free}",
        403: f"the token has no right to write to {owner}; log in as a member of it, with a token for write access"
        f"{or_propose}",
        404: f"there is no {repo_id} that the token may see",
        409: f"{repo_id} is taken, perhaps by a private Space; choose another --org"
        if sdk
        else f"{repo_id} has changed; run this again",
        412: f"{repo_id} changed while it was compared; run this again",
        429: "the Hub received too many requests from here; wait an hour, and run this again",
    }
    status = error.response.status_code
    return f"{reasons.get(status, f'the Hub refuses {repo_id}: {error.server_message or error}')} (status {status})"
