"""The addresses of the inspector's panel, and of a turn's page."""


def panel(conversation, query=""):
    return f"/chat/{conversation.pk}/panel?{query}"


def page(conversation, turn, query=""):
    return f"/chat/{conversation.pk}/debug/turn/{turn}?{query}"
