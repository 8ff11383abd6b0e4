"""A Hugging Face Hub on loopback: takes what huggingface_hub uploads, and serves it to huggingface_hub and evaluate.

Only what the tests need, with the statuses, headers and messages of the real one. A repository is a list of commits, a
commit a dict from path to content.
"""

import base64
import contextlib
import hashlib
import http.server
import json
import re
import threading
from urllib.parse import parse_qs, unquote, urlsplit

import yaml

BAD_TOKEN = "Invalid credentials in Authorization header"


class FakeHub(http.server.ThreadingHTTPServer):
    """The server, with all that it knows; a test may read and change it."""

    daemon_threads = True

    def __init__(self):
        super().__init__(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server_port}"
        self.repos = {}  # "spaces/org/name" -> list of commits
        self.tokens = {}  # token -> owners that it may write to
        self.paid = set()  # SDKs of Spaces that need a paid plan
        self.private = set()  # repositories that nobody may see
        self.pull_requests = []  # repository and files of each
        self.requests = []  # method and path of each request
        self.statuses = {}  # end of a path -> status with which it is refused

    def files(self, repo):
        """Returns the newest commit of a repository."""
        return self.repos[repo][-1]

    def write_requests(self):
        """Returns what was asked for that changes something."""
        ends = ("/api/repos/create", "/commit/main")
        return [path for method, path in self.requests if method == "POST" and (path.endswith(ends) or "/tag/" in path)]


class Handler(http.server.BaseHTTPRequestHandler):
    """Answers one request after another on a connection."""

    protocol_version = "HTTP/1.1"

    def log_message(self, *arguments):
        """Says nothing."""

    def do_GET(self):
        self.answer()

    def do_HEAD(self):
        self.answer()

    def do_POST(self):
        self.answer()

    def answer(self):
        self.body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        if self.headers.get("Transfer-Encoding") == "chunked":
            self.body = self.read_chunks()
        path = unquote(urlsplit(self.path).path)
        self.server.requests.append((self.command, path))
        method = "GET" if self.command == "HEAD" else self.command
        token = (self.headers.get("Authorization") or "").removeprefix("Bearer ")
        if token and token not in self.server.tokens:
            return self.refuse(401, BAD_TOKEN)
        self.owners = self.server.tokens.get(token)
        for end, status in self.server.statuses.items():
            if path.endswith(end):
                return self.refuse(status, "refused")
        for wanted, pattern, handle in ROUTES:
            if wanted == method and (match := re.fullmatch(pattern, path)):
                return handle(self, **match.groupdict())
        return self.refuse(404, f"the fake Hub has no {method} {path}")

    def read_chunks(self):
        body = b""
        while size := int(self.rfile.readline(), 16):
            body += self.rfile.read(size)
            self.rfile.readline()
        self.rfile.readline()
        return body

    def send(self, content, status=200, **headers):
        if not isinstance(content, bytes):
            content = json.dumps(content).encode()
            headers["Content_Type"] = "application/json"
        self.send_response(status)
        for name, value in {**headers, "Content_Length": str(len(content))}.items():
            self.send_header(name.replace("_", "-"), value)
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(content)

    def refuse(self, status, message, code=""):
        self.send({"error": message}, status, X_Error_Code=code, X_Error_Message=message)

    def may_write(self, owner):
        if self.owners is None:
            self.refuse(401, "Invalid username or password.")
        elif owner not in self.owners:
            self.refuse(403, f"You don't have the rights to write to the namespace {owner}")
        else:
            return True
        return False

    def commit_of(self, repo, revision):
        """Returns the files of a commit, or None after saying why there are none."""
        commits = self.server.repos.get(repo)
        if commits is None or repo in self.server.private:
            return self.refuse(404, "Repository not found", "RepoNotFound")
        found = commits[-1:] if revision == "main" else [files for files in commits if sha(commits, files) == revision]
        return found[0] if found else self.refuse(404, f"Invalid rev id: {revision}", "RevisionNotFound")

    def create(self):
        wanted = json.loads(self.body)
        owner, kind = wanted["organization"], f"{wanted.get('type', 'model')}s"
        repo = f"{kind}/{owner}/{wanted['name']}"
        if not self.may_write(owner):
            return None
        if repo in self.server.repos:
            return self.refuse(409, "You already created this repo")
        if wanted.get("sdk") in self.server.paid:
            return self.refuse(402, "Payment required")
        readme = f"---\nsdk: {wanted['sdk']}\n---\n" if "sdk" in wanted else "---\n---\n"
        self.server.repos[repo] = [{".gitattributes": b"*.bin filter=lfs\n", "README.md": readme.encode()}]
        return self.send({"url": f"{self.server.url}/{repo.removeprefix('models/')}"})

    def validate(self):
        content = json.loads(self.body)["content"]
        errors = []
        try:
            front = yaml.safe_load(content.split("---\n", 2)[1])
            if len(front.get("short_description", "")) > 60:
                errors = ["short_description is too long"]
        except (yaml.YAMLError, IndexError) as error:
            errors = [str(error)]
        return self.send({"errors": [{"message": text} for text in errors], "warnings": []}, 400 if errors else 200)

    def info(self, repo, revision="main"):
        if self.commit_of(repo, revision) is not None:
            commits = self.server.repos[repo]
            self.send({"id": repo.partition("/")[2], "sha": sha(commits, commits[-1]), "private": False, "tags": []})

    def tree(self, repo, revision):
        if (files := self.commit_of(repo, revision)) is not None:
            is_recursive = parse_qs(urlsplit(self.path).query).get("recursive", [""])[0].lower() == "true"
            listed = [path for path in files if is_recursive or "/" not in path]
            self.send([{"type": "file", "oid": blob(files[p]), "size": len(files[p]), "path": p} for p in listed])

    def may_commit(self, repo):
        """Says whether the token may write to a repository; everybody may open a pull request."""
        self.is_pull_request = "create_pr" in parse_qs(urlsplit(self.path).query)
        return self.may_write(next(iter(self.owners or ()), None) if self.is_pull_request else repo.split("/")[1])

    def preupload(self, repo):
        if self.may_commit(repo) and (files := self.commit_of(repo, "main")) is not None:
            paths = [file["path"] for file in json.loads(self.body)["files"]]
            oids = {path: {"oid": blob(files[path])} for path in paths if path in files}
            self.send({"files": [
                {"path": path, "uploadMode": "regular", "shouldIgnore": False, **oids.get(path, {})} for path in paths
            ]})  # fmt: skip

    def commit(self, repo):
        if not self.may_commit(repo) or self.commit_of(repo, "main") is None:
            return None
        commits = self.server.repos[repo]
        files = dict(commits[-1])
        for line in self.body.decode().splitlines():
            key, value = json.loads(line).values()
            if key == "header" and value.get("parentCommit", sha(commits, commits[-1])) != sha(commits, commits[-1]):
                return self.refuse(412, "A commit has happened since. Please refresh and try again.")
            if key == "file":
                files[value["path"]] = base64.b64decode(value["content"])
            elif key == "deletedFile" and files.pop(value["path"], None) is None:
                return self.refuse(404, "A file with this name doesn't exist", "EntryNotFound")
        if self.is_pull_request:
            self.server.pull_requests.append((repo, files))
            commits = [*commits, files]
        else:
            commits.append(files)
        oid, page = sha(commits, files), f"{self.server.url}/{repo.removeprefix('models/')}"
        answer = {"success": True, "commitOid": oid, "commitUrl": f"{page}/commit/{oid}"}
        if self.is_pull_request:
            answer["pullRequestUrl"] = f"{page}/discussions/{len(self.server.pull_requests)}"
        return self.send(answer)

    def resolve(self, repo, revision, path):
        if (files := self.commit_of(repo, revision)) is None:
            return None
        if path not in files:
            return self.refuse(404, "Entry not found", "EntryNotFound")
        commits = self.server.repos[repo]
        return self.send(files[path], ETag=f'"{blob(files[path])}"', X_Repo_Commit=sha(commits, files))

    def resolve_model(self, repo, revision, path):
        self.resolve(f"models/{repo}", revision, path)


def blob(content):
    """Returns git's name of a file."""
    return hashlib.sha1(b"blob %d\0" % len(content) + content).hexdigest()


def sha(commits, files):
    """Returns the name of a commit, which depends on its place and its files."""
    place = next(index for index, commit in enumerate(commits) if commit is files)
    blobs = sorted((path, blob(content)) for path, content in files.items())
    return hashlib.sha1(f"{place}{blobs}".encode()).hexdigest()


_REPO, _REVISION = r"(?P<repo>(?:models|spaces)/[^/]+/[^/]+)", r"(?P<revision>[^/]+)"
ROUTES = [
    ("POST", "/api/repos/create", Handler.create),
    ("POST", "/api/validate-yaml", Handler.validate),
    ("GET", f"/api/{_REPO}", Handler.info),
    ("GET", f"/api/{_REPO}/revision/{_REVISION}", Handler.info),
    ("GET", f"/api/{_REPO}/tree/{_REVISION}", Handler.tree),
    ("POST", f"/api/{_REPO}/preupload/main", Handler.preupload),
    ("POST", f"/api/{_REPO}/commit/main", Handler.commit),
    ("GET", rf"/(?P<repo>spaces/[^/]+/[^/]+)/resolve/{_REVISION}/(?P<path>.+)", Handler.resolve),
    ("GET", rf"/(?P<repo>[^/]+/[^/]+)/resolve/{_REVISION}/(?P<path>.+)", Handler.resolve_model),
]


@contextlib.contextmanager
def fake_hub():
    """Runs a Hub for the time of a `with` block."""
    with FakeHub() as hub:
        thread = threading.Thread(target=hub.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        try:
            yield hub
        finally:
            hub.shutdown()
            thread.join()
