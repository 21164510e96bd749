INSERT INTO history_conversation (id, visitor, title, history_settings, created, active, agent_id, branch_id, owner_id)
  SELECT '00000000000000000000000000000001', '', 'Long', '{}', created, active, agent_id, NULL, owner_id FROM history_conversation LIMIT 1;
INSERT INTO history_branch (id, lineage, created, conversation_id) VALUES (1000, '[]', '2026-11-21 10:00:00', '00000000000000000000000000000001');
UPDATE history_conversation SET branch_id = 1000 WHERE title = 'Long';
WITH RECURSIVE counted(n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM counted WHERE n < 99999)
INSERT INTO history_message (position, turn, segment, role, text, has_text, tool_calls, tool_call_id, tool_name, failed, agent, tokens, tokens_through, results_through, cold, created, branch_id, conversation_id)
  SELECT n, n / 2 + 1, n, iif(n % 2, 'assistant', 'user'), 'Berth ' || n || ' at noon.', 1, '[]', '', '', 0, iif(n % 2, 'demo', ''), 12, 12 * (n + 1), 0, 0, '2026-11-21 10:00:00', 1000, '00000000000000000000000000000001' FROM counted;
