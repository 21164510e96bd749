"""Where the panel and the page of a turn are."""


def panel(conversation, query=""):
    return f"/chat/{conversation.pk}/panel?{query}"


def page(conversation, turn, query=""):
    return f"/chat/{conversation.pk}/debug/turn/{turn}?{query}"
