from chatapp.markdown import rendering
from chatapp.markdown.rendering import SizedCache


def test_the_text_used_longest_ago_leaves_first():
    cache = SizedCache(limit=6)
    cache.put("a", "aaa")
    cache.put("b", "bbb")
    cache.get("a")
    cache.put("c", "ccc")

    assert [cache.get(key) for key in "abc"] == ["aaa", None, "ccc"]
    assert cache.size == 6


def test_a_text_larger_than_the_cache_is_returned_but_not_kept():
    cache = SizedCache(limit=6)

    assert cache.put("a", "a" * 7) == "a" * 7
    assert cache.get("a") is None
    assert cache.size == 0


def test_a_key_put_twice_counts_once():
    cache = SizedCache(limit=6)
    cache.put("a", "aaaa")
    cache.put("a", "aa")

    assert cache.size == 2


def test_a_text_is_rendered_once(monkeypatch):
    rendered = []

    def counting(text, *, breaks):
        rendered.append(text)
        return text

    monkeypatch.setattr(rendering, "_cache", SizedCache(limit=100))
    monkeypatch.setattr(rendering, "to_html", counting)

    assert [rendering.render("once") for _ in range(3)] == ["once"] * 3
    assert rendered == ["once"]
