"""The list of answers that failed, with the reasons why they did."""
