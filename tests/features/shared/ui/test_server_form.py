"""The fields for a server: what is wrong is said at its field, and what is rare stays hidden."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from PySide6.QtWidgets import QLabel, QLineEdit

from app.domain.shared import ServerAddress
from app.features.shared.ui.libraries_dialog import ServerForm
from tests.support.file_dialogs import choose_files

if TYPE_CHECKING:
    from pathlib import Path

    from pytestqt.qtbot import QtBot

KNOWN = ServerAddress("https://chroma.example.org", "school", "physics")


@pytest.fixture
def form(qtbot: QtBot) -> ServerForm:
    form = ServerForm("From your teacher.", [KNOWN])
    qtbot.addWidget(form)
    form.show()
    return form


def sentences(form: ServerForm) -> str:
    return "\n".join(label.text() for label in form.findChildren(QLabel) if label.isVisible())


def test_a_known_server_is_chosen_first_and_another_can_be_typed(form: ServerForm) -> None:
    assert form.server.currentText() == "https://chroma.example.org · school · physics"
    assert form.chosen() == KNOWN and form.is_filled and form.new_token is None
    assert not form.address.isVisible()
    assert form.token.placeholderText() == "The saved one, if there is one"

    form.server.setCurrentIndex(form.server.findData(""))
    assert form.address.isVisible() and not form.is_filled and form.token.placeholderText() == ""
    form.address.setText("chroma.example.net")
    form.token.setText(" a token ")
    assert form.chosen() == ServerAddress("https://chroma.example.net")
    assert form.new_token == "a token"


@pytest.mark.parametrize("text", ["https://user:secret@example.org", "ftp://example.org", "two words"])
def test_what_is_no_address_is_said_at_its_field(form: ServerForm, text: str) -> None:
    form.server.setCurrentIndex(form.server.findData(""))
    before = sentences(form)
    form.address.setText(text)
    assert form.chosen() is None
    assert form.address.property("invalid") is True and form.address.hasFocus()
    assert sentences(form) != before and "secret" not in sentences(form)


def test_a_server_that_others_can_listen_to_is_warned_of(form: ServerForm) -> None:
    form.server.setCurrentIndex(form.server.findData(""))
    form.address.setText("http://192.168.1.7:8000")
    assert "Without https, others" in sentences(form)
    form.address.setText("http://127.0.0.1:8000")
    assert "Without https" not in sentences(form)


def test_the_token_is_seen_only_when_asked_and_a_file_with_certificates_is_chosen(
    form: ServerForm, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    form.show_token.click()
    assert form.token.echoMode() is QLineEdit.EchoMode.Normal
    form.show_token.click()
    assert form.token.echoMode() is QLineEdit.EchoMode.Password

    form.server.setCurrentIndex(form.server.findData(""))
    assert not form.ca_file.isVisible()
    form.more.click()
    assert form.ca_file.isVisible() and not form.more.isVisible()
    authority = tmp_path / "school.pem"
    for chosen in ([authority], []):  # the second dialog is cancelled
        choose_files(monkeypatch, *chosen)
        form.choose_ca.click()
        assert form.ca_file.text() == str(authority)


def test_a_refusal_leads_to_the_field_it_speaks_of(form: ServerForm) -> None:
    form.lead_to_cause("shared.not_a_library")
    assert not form.database.isVisible(), "a known server has its database"
    form.server.setCurrentIndex(form.server.findData(""))
    form.lead_to_cause("server.unreachable")
    assert not form.database.isVisible()
    form.lead_to_cause("shared.not_a_library")
    assert form.database.isVisible() and form.focusWidget() is form.database
    form.token.setText("wrong")
    form.lead_to_cause("server.token_rejected")
    assert form.focusWidget() is form.token and form.token.selectedText() == "wrong"
