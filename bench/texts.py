"""The texts of the messages in every measured conversation."""

QUESTION = "How do I get from the station to the harbour, and what does it cost? " * 3
ANSWER = "Take tram 28 to the last stop and walk along the river for ten minutes. " * 6
FOUND = "Line 28: station, market, castle, harbour. Every nine minutes, 2.40 a ride. " * 4
THOUGHT = "They ask for a way and a price. The tram is the shortest, and a ride is 2.40. " * 8
