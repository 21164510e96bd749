"""The addresses of the panel and of the page of a turn."""


def panel(conversation, query=""):
    return f"/chat/{conversation.pk}/panel?{query}"


def page(conversation, turn, query=""):
    return f"/chat/{conversation.pk}/debug/turn/{turn}?{query}"
