"""The page is readable on the narrowest screens, 320 px wide."""

import pytest

from tests.browser.test_phone import begin, is_too_wide


@pytest.mark.parametrize("agent", ["demo", "archivist"])
def test_the_agents_name_is_read_whole_on_the_narrowest_screen(phone, agent):
    phone.page.set_viewport_size({"width": 320, "height": 640})
    begin(phone, f"/chat?agent={agent}")
    name = phone.page.locator(".picker > summary > span")

    assert name.evaluate("e => e.scrollWidth <= e.clientWidth")
    phone.ask("Hello")
    assert name.evaluate("e => e.scrollWidth <= e.clientWidth")
    assert not is_too_wide(phone)
