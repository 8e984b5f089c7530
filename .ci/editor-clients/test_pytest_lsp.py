"""pytest-lsp (on pygls): opens a draft, changes it, asks, shuts down."""
import os
import pathlib

import pytest
import pytest_lsp
from lsprotocol import types
from pytest_lsp import ClientServerConfig, LanguageClient, client_capabilities


@pytest_lsp.fixture(config=ClientServerConfig(server_command=[os.environ["COPYDESK"], "lsp"]))
async def client(lsp_client: LanguageClient):
    await lsp_client.initialize_session(
        types.InitializeParams(capabilities=client_capabilities("visual-studio-code"), root_uri=pathlib.Path.cwd().as_uri())
    )
    yield
    await lsp_client.shutdown_session()


@pytest.mark.asyncio
async def test_a_false_figure_is_found_and_mended(client: LanguageClient):
    draft = pathlib.Path("draft.md").resolve()
    uri, text = draft.as_uri(), draft.read_text()
    client.text_document_did_open(
        types.DidOpenTextDocumentParams(text_document=types.TextDocumentItem(uri=uri, language_id="markdown", version=1, text=text.replace("$1.8", "$2.8")))
    )

    async def figures(wanted):
        for _ in range(50):
            found = [one for one in client.diagnostics.get(uri, []) if "number" in str(one.code)]
            if len(found) == wanted:
                return found
            await client.wait_for_notification(types.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)
        raise AssertionError(client.diagnostics)

    [found] = await figures(1)
    where = types.TextDocumentIdentifier(uri=uri)
    hover = await client.text_document_hover_async(types.HoverParams(text_document=where, position=found.range.start))
    assert "$1.8 million" in hover.contents.value
    whole = types.TextDocumentContentChangeWholeDocument(text=text)
    versioned = types.VersionedTextDocumentIdentifier(uri=uri, version=2)
    client.text_document_did_change(types.DidChangeTextDocumentParams(text_document=versioned, content_changes=[whole]))
    await figures(0)
