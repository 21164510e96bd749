BEGIN TRANSACTION;
CREATE TABLE "agents_agenttemplate" ("id" integer NOT NULL PRIMARY KEY AUTOINCREMENT, "slug" varchar(50) NOT NULL UNIQUE, "name" varchar(80) NOT NULL, "description" varchar(200) NOT NULL, "model" varchar(120) NOT NULL, "system_prompt" text NOT NULL, "temperature" real NULL, "output_limit" integer unsigned NULL CHECK ("output_limit" >= 0), "tools" text NOT NULL CHECK ((JSON_VALID("tools") OR "tools" IS NULL)), "history_settings" text NOT NULL CHECK ((JSON_VALID("history_settings") OR "history_settings" IS NULL)), "starters" text NOT NULL, "prompt_is_public" bool NOT NULL, "enabled" bool NOT NULL, "version" integer unsigned NOT NULL CHECK ("version" >= 0), "changed" datetime NOT NULL);
INSERT INTO "agents_agenttemplate" VALUES(1,'demo','Vitrine','A good listener that is sent the last 20 turns.','','You are a friendly, attentive assistant. Answer in plain words, as briefly as the question allows, and use Markdown where it helps. Use your tools for arithmetic and for the time instead of guessing. If something was said too long ago for you to see it, say so.',NULL,NULL,'["calculator", "current_time"]','{"policy": "lastN", "length": 20}','What can you see of this conversation?
My name is Ada, and my favourite colour is green.
What is 12 * (3 + 4)?
What time is it?',1,1,1,'2026-11-24 00:04:18.104080');
INSERT INTO "agents_agenttemplate" VALUES(2,'archivist','The Archivist','Is sent everything that was ever said, however long ago.','','You are an archivist: calm, exact, and fond of detail. You are given the whole conversation each time, so refer back to what was said earlier and say where. Never invent what the record does not hold.',NULL,NULL,'["calculator", "current_time"]','{"policy": "all"}','Remember that the spare key is under the blue pot.
What was the very first thing I told you?
Summarise what we have said so far.',1,1,1,'2026-11-24 00:04:18.110052');
INSERT INTO "agents_agenttemplate" VALUES(3,'goldfish','Goldfish','Is sent the last three turns, and cheerfully forgets the rest.','','You are a cheerful goldfish with a short memory: you are given only the last three turns. Be warm and quick. When someone asks about something older, say kindly that it is outside what you were sent, and ask them to tell you again.',NULL,NULL,'["calculator", "current_time"]','{"policy": "lastN", "length": 3}','My name is Ada.
What is my name?
How far back can you see?',1,1,1,'2026-11-24 00:04:18.111739');
INSERT INTO "agents_agenttemplate" VALUES(4,'oneshot','One Shot','Is sent your message alone: every question starts afresh.','','You answer single questions. You are given no earlier messages, so treat each one as complete in itself. If it refers to something you were not given, ask for it in one sentence. Be direct, and answer first.',NULL,NULL,'["calculator", "current_time"]','{"policy": "none"}','What is 17 * 23?
Explain in two sentences why the sky is blue.
What did I just ask you?',1,1,1,'2026-11-24 00:04:18.112819');
CREATE TABLE "agents_historicalagenttemplate" ("id" bigint NOT NULL, "slug" varchar(50) NOT NULL, "name" varchar(80) NOT NULL, "description" varchar(200) NOT NULL, "model" varchar(120) NOT NULL, "system_prompt" text NOT NULL, "temperature" real NULL, "output_limit" integer unsigned NULL CHECK ("output_limit" >= 0), "tools" text NOT NULL CHECK ((JSON_VALID("tools") OR "tools" IS NULL)), "history_settings" text NOT NULL CHECK ((JSON_VALID("history_settings") OR "history_settings" IS NULL)), "starters" text NOT NULL, "prompt_is_public" bool NOT NULL, "enabled" bool NOT NULL, "version" integer unsigned NOT NULL CHECK ("version" >= 0), "history_id" integer NOT NULL PRIMARY KEY AUTOINCREMENT, "history_date" datetime NOT NULL, "history_change_reason" varchar(100) NULL, "history_type" varchar(1) NOT NULL, "history_user_id" integer NULL REFERENCES "auth_user" ("id") DEFERRABLE INITIALLY DEFERRED);
INSERT INTO "agents_historicalagenttemplate" VALUES(1,'demo','Vitrine','A good listener that is sent the last 20 turns.','','You are a friendly, attentive assistant. Answer in plain words, as briefly as the question allows, and use Markdown where it helps. Use your tools for arithmetic and for the time instead of guessing. If something was said too long ago for you to see it, say so.',NULL,NULL,'["calculator", "current_time"]','{"policy": "lastN", "length": 20}','What can you see of this conversation?
My name is Ada, and my favourite colour is green.
What is 12 * (3 + 4)?
What time is it?',1,1,1,1,'2026-11-24 00:04:18.104302',NULL,'+',NULL);
INSERT INTO "agents_historicalagenttemplate" VALUES(2,'archivist','The Archivist','Is sent everything that was ever said, however long ago.','','You are an archivist: calm, exact, and fond of detail. You are given the whole conversation each time, so refer back to what was said earlier and say where. Never invent what the record does not hold.',NULL,NULL,'["calculator", "current_time"]','{"policy": "all"}','Remember that the spare key is under the blue pot.
What was the very first thing I told you?
Summarise what we have said so far.',1,1,1,2,'2026-11-24 00:04:18.110240',NULL,'+',NULL);
INSERT INTO "agents_historicalagenttemplate" VALUES(3,'goldfish','Goldfish','Is sent the last three turns, and cheerfully forgets the rest.','','You are a cheerful goldfish with a short memory: you are given only the last three turns. Be warm and quick. When someone asks about something older, say kindly that it is outside what you were sent, and ask them to tell you again.',NULL,NULL,'["calculator", "current_time"]','{"policy": "lastN", "length": 3}','My name is Ada.
What is my name?
How far back can you see?',1,1,1,3,'2026-11-24 00:04:18.111831',NULL,'+',NULL);
INSERT INTO "agents_historicalagenttemplate" VALUES(4,'oneshot','One Shot','Is sent your message alone: every question starts afresh.','','You answer single questions. You are given no earlier messages, so treat each one as complete in itself. If it refers to something you were not given, ask for it in one sentence. Be direct, and answer first.',NULL,NULL,'["calculator", "current_time"]','{"policy": "none"}','What is 17 * 23?
Explain in two sentences why the sky is blue.
What did I just ask you?',1,1,1,4,'2026-11-24 00:04:18.112901',NULL,'+',NULL);
CREATE TABLE "agents_historicalsitedefaults" ("id" bigint NOT NULL, "history_settings" text NOT NULL CHECK ((JSON_VALID("history_settings") OR "history_settings" IS NULL)), "history_id" integer NOT NULL PRIMARY KEY AUTOINCREMENT, "history_date" datetime NOT NULL, "history_change_reason" varchar(100) NULL, "history_type" varchar(1) NOT NULL, "history_user_id" integer NULL REFERENCES "auth_user" ("id") DEFERRABLE INITIALLY DEFERRED);
CREATE TABLE "agents_sitedefaults" ("id" integer NOT NULL PRIMARY KEY AUTOINCREMENT, "history_settings" text NOT NULL CHECK ((JSON_VALID("history_settings") OR "history_settings" IS NULL)), "changed" datetime NOT NULL, CONSTRAINT "agents_one_site" CHECK ("id" = 1));
CREATE TABLE "auth_group" ("id" integer NOT NULL PRIMARY KEY AUTOINCREMENT, "name" varchar(150) NOT NULL UNIQUE);
CREATE TABLE "auth_group_permissions" ("id" integer NOT NULL PRIMARY KEY AUTOINCREMENT, "group_id" integer NOT NULL REFERENCES "auth_group" ("id") DEFERRABLE INITIALLY DEFERRED, "permission_id" integer NOT NULL REFERENCES "auth_permission" ("id") DEFERRABLE INITIALLY DEFERRED);
CREATE TABLE "auth_permission" ("id" integer NOT NULL PRIMARY KEY AUTOINCREMENT, "content_type_id" integer NOT NULL REFERENCES "django_content_type" ("id") DEFERRABLE INITIALLY DEFERRED, "codename" varchar(100) NOT NULL, "name" varchar(255) NOT NULL);
INSERT INTO "auth_permission" VALUES(1,1,'add_logentry','Can add log entry');
INSERT INTO "auth_permission" VALUES(2,1,'change_logentry','Can change log entry');
INSERT INTO "auth_permission" VALUES(3,1,'delete_logentry','Can delete log entry');
INSERT INTO "auth_permission" VALUES(4,1,'view_logentry','Can view log entry');
INSERT INTO "auth_permission" VALUES(5,2,'add_permission','Can add permission');
INSERT INTO "auth_permission" VALUES(6,2,'change_permission','Can change permission');
INSERT INTO "auth_permission" VALUES(7,2,'delete_permission','Can delete permission');
INSERT INTO "auth_permission" VALUES(8,2,'view_permission','Can view permission');
INSERT INTO "auth_permission" VALUES(9,3,'add_group','Can add group');
INSERT INTO "auth_permission" VALUES(10,3,'change_group','Can change group');
INSERT INTO "auth_permission" VALUES(11,3,'delete_group','Can delete group');
INSERT INTO "auth_permission" VALUES(12,3,'view_group','Can view group');
INSERT INTO "auth_permission" VALUES(13,4,'add_user','Can add user');
INSERT INTO "auth_permission" VALUES(14,4,'change_user','Can change user');
INSERT INTO "auth_permission" VALUES(15,4,'delete_user','Can delete user');
INSERT INTO "auth_permission" VALUES(16,4,'view_user','Can view user');
INSERT INTO "auth_permission" VALUES(17,5,'add_contenttype','Can add content type');
INSERT INTO "auth_permission" VALUES(18,5,'change_contenttype','Can change content type');
INSERT INTO "auth_permission" VALUES(19,5,'delete_contenttype','Can delete content type');
INSERT INTO "auth_permission" VALUES(20,5,'view_contenttype','Can view content type');
INSERT INTO "auth_permission" VALUES(21,6,'add_session','Can add session');
INSERT INTO "auth_permission" VALUES(22,6,'change_session','Can change session');
INSERT INTO "auth_permission" VALUES(23,6,'delete_session','Can delete session');
INSERT INTO "auth_permission" VALUES(24,6,'view_session','Can view session');
INSERT INTO "auth_permission" VALUES(25,7,'add_agenttemplate','Can add agent template');
INSERT INTO "auth_permission" VALUES(26,7,'change_agenttemplate','Can change agent template');
INSERT INTO "auth_permission" VALUES(27,7,'delete_agenttemplate','Can delete agent template');
INSERT INTO "auth_permission" VALUES(28,7,'view_agenttemplate','Can view agent template');
INSERT INTO "auth_permission" VALUES(29,8,'add_historicalagenttemplate','Can add historical agent template');
INSERT INTO "auth_permission" VALUES(30,8,'change_historicalagenttemplate','Can change historical agent template');
INSERT INTO "auth_permission" VALUES(31,8,'delete_historicalagenttemplate','Can delete historical agent template');
INSERT INTO "auth_permission" VALUES(32,8,'view_historicalagenttemplate','Can view historical agent template');
INSERT INTO "auth_permission" VALUES(33,9,'add_historicalsitedefaults','Can add historical site defaults');
INSERT INTO "auth_permission" VALUES(34,9,'change_historicalsitedefaults','Can change historical site defaults');
INSERT INTO "auth_permission" VALUES(35,9,'delete_historicalsitedefaults','Can delete historical site defaults');
INSERT INTO "auth_permission" VALUES(36,9,'view_historicalsitedefaults','Can view historical site defaults');
INSERT INTO "auth_permission" VALUES(37,10,'add_sitedefaults','Can add site defaults');
INSERT INTO "auth_permission" VALUES(38,10,'change_sitedefaults','Can change site defaults');
INSERT INTO "auth_permission" VALUES(39,10,'delete_sitedefaults','Can delete site defaults');
INSERT INTO "auth_permission" VALUES(40,10,'view_sitedefaults','Can view site defaults');
INSERT INTO "auth_permission" VALUES(41,11,'add_branch','Can add branch');
INSERT INTO "auth_permission" VALUES(42,11,'change_branch','Can change branch');
INSERT INTO "auth_permission" VALUES(43,11,'delete_branch','Can delete branch');
INSERT INTO "auth_permission" VALUES(44,11,'view_branch','Can view branch');
INSERT INTO "auth_permission" VALUES(45,12,'add_storedtext','Can add stored text');
INSERT INTO "auth_permission" VALUES(46,12,'change_storedtext','Can change stored text');
INSERT INTO "auth_permission" VALUES(47,12,'delete_storedtext','Can delete stored text');
INSERT INTO "auth_permission" VALUES(48,12,'view_storedtext','Can view stored text');
INSERT INTO "auth_permission" VALUES(49,13,'add_conversation','Can add conversation');
INSERT INTO "auth_permission" VALUES(50,13,'change_conversation','Can change conversation');
INSERT INTO "auth_permission" VALUES(51,13,'delete_conversation','Can delete conversation');
INSERT INTO "auth_permission" VALUES(52,13,'view_conversation','Can view conversation');
INSERT INTO "auth_permission" VALUES(53,14,'add_generation','Can add generation');
INSERT INTO "auth_permission" VALUES(54,14,'change_generation','Can change generation');
INSERT INTO "auth_permission" VALUES(55,14,'delete_generation','Can delete generation');
INSERT INTO "auth_permission" VALUES(56,14,'view_generation','Can view generation');
INSERT INTO "auth_permission" VALUES(57,15,'add_contextplan','Can add context plan');
INSERT INTO "auth_permission" VALUES(58,15,'change_contextplan','Can change context plan');
INSERT INTO "auth_permission" VALUES(59,15,'delete_contextplan','Can delete context plan');
INSERT INTO "auth_permission" VALUES(60,15,'view_contextplan','Can view context plan');
INSERT INTO "auth_permission" VALUES(61,16,'add_generationevent','Can add generation event');
INSERT INTO "auth_permission" VALUES(62,16,'change_generationevent','Can change generation event');
INSERT INTO "auth_permission" VALUES(63,16,'delete_generationevent','Can delete generation event');
INSERT INTO "auth_permission" VALUES(64,16,'view_generationevent','Can view generation event');
INSERT INTO "auth_permission" VALUES(65,17,'add_message','Can add message');
INSERT INTO "auth_permission" VALUES(66,17,'change_message','Can change message');
INSERT INTO "auth_permission" VALUES(67,17,'delete_message','Can delete message');
INSERT INTO "auth_permission" VALUES(68,17,'view_message','Can view message');
INSERT INTO "auth_permission" VALUES(69,18,'add_requestoutcome','Can add request outcome');
INSERT INTO "auth_permission" VALUES(70,18,'change_requestoutcome','Can change request outcome');
INSERT INTO "auth_permission" VALUES(71,18,'delete_requestoutcome','Can delete request outcome');
INSERT INTO "auth_permission" VALUES(72,18,'view_requestoutcome','Can view request outcome');
CREATE TABLE "auth_user" ("id" integer NOT NULL PRIMARY KEY AUTOINCREMENT, "password" varchar(128) NOT NULL, "last_login" datetime NULL, "is_superuser" bool NOT NULL, "username" varchar(150) NOT NULL UNIQUE, "last_name" varchar(150) NOT NULL, "email" varchar(254) NOT NULL, "is_staff" bool NOT NULL, "is_active" bool NOT NULL, "date_joined" datetime NOT NULL, "first_name" varchar(150) NOT NULL);
INSERT INTO "auth_user" VALUES(1,'!',NULL,1,'admin','','',1,1,'2026-11-24 00:04:18.121003','');
CREATE TABLE "auth_user_groups" ("id" integer NOT NULL PRIMARY KEY AUTOINCREMENT, "user_id" integer NOT NULL REFERENCES "auth_user" ("id") DEFERRABLE INITIALLY DEFERRED, "group_id" integer NOT NULL REFERENCES "auth_group" ("id") DEFERRABLE INITIALLY DEFERRED);
CREATE TABLE "auth_user_user_permissions" ("id" integer NOT NULL PRIMARY KEY AUTOINCREMENT, "user_id" integer NOT NULL REFERENCES "auth_user" ("id") DEFERRABLE INITIALLY DEFERRED, "permission_id" integer NOT NULL REFERENCES "auth_permission" ("id") DEFERRABLE INITIALLY DEFERRED);
CREATE TABLE "django_admin_log" ("id" integer NOT NULL PRIMARY KEY AUTOINCREMENT, "object_id" text NULL, "object_repr" varchar(200) NOT NULL, "action_flag" smallint unsigned NOT NULL CHECK ("action_flag" >= 0), "change_message" text NOT NULL, "content_type_id" integer NULL REFERENCES "django_content_type" ("id") DEFERRABLE INITIALLY DEFERRED, "user_id" integer NOT NULL REFERENCES "auth_user" ("id") DEFERRABLE INITIALLY DEFERRED, "action_time" datetime NOT NULL);
CREATE TABLE "django_content_type" ("id" integer NOT NULL PRIMARY KEY AUTOINCREMENT, "app_label" varchar(100) NOT NULL, "model" varchar(100) NOT NULL);
INSERT INTO "django_content_type" VALUES(1,'admin','logentry');
INSERT INTO "django_content_type" VALUES(2,'auth','permission');
INSERT INTO "django_content_type" VALUES(3,'auth','group');
INSERT INTO "django_content_type" VALUES(4,'auth','user');
INSERT INTO "django_content_type" VALUES(5,'contenttypes','contenttype');
INSERT INTO "django_content_type" VALUES(6,'sessions','session');
INSERT INTO "django_content_type" VALUES(7,'agents','agenttemplate');
INSERT INTO "django_content_type" VALUES(8,'agents','historicalagenttemplate');
INSERT INTO "django_content_type" VALUES(9,'agents','historicalsitedefaults');
INSERT INTO "django_content_type" VALUES(10,'agents','sitedefaults');
INSERT INTO "django_content_type" VALUES(11,'history','branch');
INSERT INTO "django_content_type" VALUES(12,'history','storedtext');
INSERT INTO "django_content_type" VALUES(13,'history','conversation');
INSERT INTO "django_content_type" VALUES(14,'history','generation');
INSERT INTO "django_content_type" VALUES(15,'history','contextplan');
INSERT INTO "django_content_type" VALUES(16,'history','generationevent');
INSERT INTO "django_content_type" VALUES(17,'history','message');
INSERT INTO "django_content_type" VALUES(18,'history','requestoutcome');
CREATE TABLE "django_migrations" ("id" integer NOT NULL PRIMARY KEY AUTOINCREMENT, "app" varchar(255) NOT NULL, "name" varchar(255) NOT NULL, "applied" datetime NOT NULL);
INSERT INTO "django_migrations" VALUES(1,'contenttypes','0001_initial','2026-11-24 00:04:17.316167');
INSERT INTO "django_migrations" VALUES(2,'auth','0001_initial','2026-11-24 00:04:17.334110');
INSERT INTO "django_migrations" VALUES(3,'admin','0001_initial','2026-11-24 00:04:17.347435');
INSERT INTO "django_migrations" VALUES(4,'admin','0002_logentry_remove_auto_add','2026-11-24 00:04:17.357941');
INSERT INTO "django_migrations" VALUES(5,'admin','0003_logentry_add_action_flag_choices','2026-11-24 00:04:17.367651');
INSERT INTO "django_migrations" VALUES(6,'agents','0001_initial','2026-11-24 00:04:17.398130');
INSERT INTO "django_migrations" VALUES(7,'contenttypes','0002_remove_content_type_name','2026-11-24 00:04:17.420744');
INSERT INTO "django_migrations" VALUES(8,'auth','0002_alter_permission_name_max_length','2026-11-24 00:04:17.436720');
INSERT INTO "django_migrations" VALUES(9,'auth','0003_alter_user_email_max_length','2026-11-24 00:04:17.451978');
INSERT INTO "django_migrations" VALUES(10,'auth','0004_alter_user_username_opts','2026-11-24 00:04:17.568329');
INSERT INTO "django_migrations" VALUES(11,'auth','0005_alter_user_last_login_null','2026-11-24 00:04:17.590231');
INSERT INTO "django_migrations" VALUES(12,'auth','0006_require_contenttypes_0002','2026-11-24 00:04:17.590780');
INSERT INTO "django_migrations" VALUES(13,'auth','0007_alter_validators_add_error_messages','2026-11-24 00:04:17.599914');
INSERT INTO "django_migrations" VALUES(14,'auth','0008_alter_user_username_max_length','2026-11-24 00:04:17.612766');
INSERT INTO "django_migrations" VALUES(15,'auth','0009_alter_user_last_name_max_length','2026-11-24 00:04:17.628212');
INSERT INTO "django_migrations" VALUES(16,'auth','0010_alter_group_name_max_length','2026-11-24 00:04:17.640897');
INSERT INTO "django_migrations" VALUES(17,'auth','0011_update_proxy_permissions','2026-11-24 00:04:17.655691');
INSERT INTO "django_migrations" VALUES(18,'auth','0012_alter_user_first_name_max_length','2026-11-24 00:04:17.669236');
INSERT INTO "django_migrations" VALUES(19,'history','0001_initial','2026-11-24 00:04:18.037210');
INSERT INTO "django_migrations" VALUES(20,'sessions','0001_initial','2026-11-24 00:04:18.043423');
CREATE TABLE "django_session" ("session_key" varchar(40) NOT NULL PRIMARY KEY, "session_data" text NOT NULL, "expire_date" datetime NOT NULL);
CREATE TABLE "history_branch" ("id" integer NOT NULL PRIMARY KEY AUTOINCREMENT, "lineage" text NOT NULL CHECK ((JSON_VALID("lineage") OR "lineage" IS NULL)), "created" datetime NOT NULL, "conversation_id" char(32) NOT NULL REFERENCES "history_conversation" ("id") DEFERRABLE INITIALLY DEFERRED);
INSERT INTO "history_branch" VALUES(1,'[]','2026-11-24 00:04:33.651719','89fbb9bbe0c45ad1a357d48ba280f2bc');
INSERT INTO "history_branch" VALUES(2,'[]','2026-11-24 00:04:46.605811','c9d74254fc1159f0b4630162b443c715');
CREATE TABLE "history_contextplan" ("id" integer NOT NULL PRIMARY KEY AUTOINCREMENT, "step" integer unsigned NOT NULL CHECK ("step" >= 0), "head" integer unsigned NOT NULL CHECK ("head" >= 0), "plan" text NOT NULL CHECK ((JSON_VALID("plan") OR "plan" IS NULL)), "parameters" text NOT NULL CHECK ((JSON_VALID("parameters") OR "parameters" IS NULL)), "texts" text NOT NULL CHECK ((JSON_VALID("texts") OR "texts" IS NULL)), "request_hash" varchar(64) NOT NULL, "version" integer unsigned NOT NULL CHECK ("version" >= 0), "milliseconds" real NOT NULL, "created" datetime NOT NULL, "branch_id" bigint NOT NULL REFERENCES "history_branch" ("id") DEFERRABLE INITIALLY DEFERRED, "generation_id" char(32) NOT NULL REFERENCES "history_generation" ("id") DEFERRABLE INITIALLY DEFERRED, CONSTRAINT "history_plan_step" UNIQUE ("generation_id", "step"));
INSERT INTO "history_contextplan" VALUES(1,1,0,'{"entries": [{"verdict": "+", "first": null, "last": null, "first_turn": null, "last_turn": null, "count": 1, "tokens": 0, "sent_tokens": 60, "rule": "injected", "setting": "", "reason": "sent ahead of the transcript: 60 tokens", "label": "system prompt"}, {"verdict": "+", "first": null, "last": null, "first_turn": null, "last_turn": null, "count": 1, "tokens": 0, "sent_tokens": 109, "rule": "injected", "setting": "", "reason": "sent with every request: 109 tokens", "label": "tool schemas"}, {"verdict": "K", "first": 0, "last": 0, "first_turn": 1, "last_turn": 1, "count": 1, "tokens": 11, "sent_tokens": 11, "rule": "current turn", "setting": "", "reason": "current turn", "label": ""}], "settings": {"policy": {"locked": false, "candidates": [{"layer": "template", "source": "template demo v1", "raw": "lastN", "value": "lastN", "outcome": "winner", "reason": ""}, {"layer": "built_in", "source": "built-in", "raw": "lastN", "value": "lastN", "outcome": "outranked", "reason": "same value, lower rank"}]}, "length": {"locked": false, "candidates": [{"layer": "template", "source": "template demo v1", "raw": 20, "value": 20, "outcome": "winner", "reason": ""}, {"layer": "built_in", "source": "built-in", "raw": 20, "value": 20, "outcome": "outranked", "reason": "same value, lower rank"}]}, "preserve_system_messages": {"locked": false, "candidates": [{"layer": "built_in", "source": "built-in", "raw": true, "value": true, "outcome": "winner", "reason": ""}]}, "context_window": {"locked": false, "candidates": [{"layer": "built_in", "source": "model catalogue", "raw": 128000, "value": 128000, "outcome": "winner", "reason": ""}]}, "output_reserve": {"locked": false, "candidates": [{"layer": "built_in", "source": "built-in", "raw": 4096, "value": 4096, "outcome": "winner", "reason": ""}]}}, "window": {"context_window": 128000, "system_prompt": 60, "tool_schemas": 109, "injected": 0, "history": 11, "output_reserve": 4096}, "counts": {"transcript": 1, "sent": 1, "trimmed": 0, "repaired": 0, "last_turn": 1}, "counter": "o200k_base", "notes": [], "version": 1}','{"model": "demo/mirror", "temperature": null, "max_tokens": null}','{"system_prompt": "ed1e0cd29d2c9ad3bc4b7b95b654f16a6f464b4aa4e6337af94d4a9fcf51e6c1", "tools": "1a68f440e74b2ea4c1736f68947012eec2c0272c5487a32fe798739fa03b2d4a"}','76bb71ea1c87b0e5620e497a5f715f0543f779ae8184b33cbd88fedc69b22736',1,3.0,'2026-11-24 00:04:33.683113',1,'fa6620e5b4f04b64acdc5aad9a97d8af');
INSERT INTO "history_contextplan" VALUES(2,1,2,'{"entries": [{"verdict": "+", "first": null, "last": null, "first_turn": null, "last_turn": null, "count": 1, "tokens": 0, "sent_tokens": 60, "rule": "injected", "setting": "", "reason": "sent ahead of the transcript: 60 tokens", "label": "system prompt"}, {"verdict": "+", "first": null, "last": null, "first_turn": null, "last_turn": null, "count": 1, "tokens": 0, "sent_tokens": 109, "rule": "injected", "setting": "", "reason": "sent with every request: 109 tokens", "label": "tool schemas"}, {"verdict": "K", "first": 0, "last": 1, "first_turn": 1, "last_turn": 1, "count": 2, "tokens": 196, "sent_tokens": 196, "rule": "", "setting": "", "reason": "", "label": ""}, {"verdict": "K", "first": 2, "last": 2, "first_turn": 2, "last_turn": 2, "count": 1, "tokens": 11, "sent_tokens": 11, "rule": "current turn", "setting": "", "reason": "current turn", "label": ""}], "settings": {"policy": {"locked": false, "candidates": [{"layer": "template", "source": "template demo v1", "raw": "lastN", "value": "lastN", "outcome": "winner", "reason": ""}, {"layer": "built_in", "source": "built-in", "raw": "lastN", "value": "lastN", "outcome": "outranked", "reason": "same value, lower rank"}]}, "length": {"locked": false, "candidates": [{"layer": "template", "source": "template demo v1", "raw": 20, "value": 20, "outcome": "winner", "reason": ""}, {"layer": "built_in", "source": "built-in", "raw": 20, "value": 20, "outcome": "outranked", "reason": "same value, lower rank"}]}, "preserve_system_messages": {"locked": false, "candidates": [{"layer": "built_in", "source": "built-in", "raw": true, "value": true, "outcome": "winner", "reason": ""}]}, "context_window": {"locked": false, "candidates": [{"layer": "built_in", "source": "model catalogue", "raw": 128000, "value": 128000, "outcome": "winner", "reason": ""}]}, "output_reserve": {"locked": false, "candidates": [{"layer": "built_in", "source": "built-in", "raw": 4096, "value": 4096, "outcome": "winner", "reason": ""}]}}, "window": {"context_window": 128000, "system_prompt": 60, "tool_schemas": 109, "injected": 0, "history": 207, "output_reserve": 4096}, "counts": {"transcript": 3, "sent": 3, "trimmed": 0, "repaired": 0, "last_turn": 2}, "counter": "o200k_base", "notes": [], "version": 1}','{"model": "demo/mirror", "temperature": null, "max_tokens": null}','{"system_prompt": "ed1e0cd29d2c9ad3bc4b7b95b654f16a6f464b4aa4e6337af94d4a9fcf51e6c1", "tools": "1a68f440e74b2ea4c1736f68947012eec2c0272c5487a32fe798739fa03b2d4a"}','c021f0ecac6d703a408b0081c1d53f51e754f8567a31827963a69f2d93b3dca5',1,28.49,'2026-11-24 00:04:41.879401',1,'101333af2e1c48b695d1eaaebfaa6c91');
INSERT INTO "history_contextplan" VALUES(3,1,0,'{"entries": [{"verdict": "+", "first": null, "last": null, "first_turn": null, "last_turn": null, "count": 1, "tokens": 0, "sent_tokens": 60, "rule": "injected", "setting": "", "reason": "sent ahead of the transcript: 60 tokens", "label": "system prompt"}, {"verdict": "+", "first": null, "last": null, "first_turn": null, "last_turn": null, "count": 1, "tokens": 0, "sent_tokens": 109, "rule": "injected", "setting": "", "reason": "sent with every request: 109 tokens", "label": "tool schemas"}, {"verdict": "K", "first": 0, "last": 0, "first_turn": 1, "last_turn": 1, "count": 1, "tokens": 8, "sent_tokens": 8, "rule": "current turn", "setting": "", "reason": "current turn", "label": ""}], "settings": {"policy": {"locked": false, "candidates": [{"layer": "template", "source": "template demo v1", "raw": "lastN", "value": "lastN", "outcome": "winner", "reason": ""}, {"layer": "built_in", "source": "built-in", "raw": "lastN", "value": "lastN", "outcome": "outranked", "reason": "same value, lower rank"}]}, "length": {"locked": false, "candidates": [{"layer": "template", "source": "template demo v1", "raw": 20, "value": 20, "outcome": "winner", "reason": ""}, {"layer": "built_in", "source": "built-in", "raw": 20, "value": 20, "outcome": "outranked", "reason": "same value, lower rank"}]}, "preserve_system_messages": {"locked": false, "candidates": [{"layer": "built_in", "source": "built-in", "raw": true, "value": true, "outcome": "winner", "reason": ""}]}, "context_window": {"locked": false, "candidates": [{"layer": "built_in", "source": "model catalogue", "raw": 128000, "value": 128000, "outcome": "winner", "reason": ""}]}, "output_reserve": {"locked": false, "candidates": [{"layer": "built_in", "source": "built-in", "raw": 4096, "value": 4096, "outcome": "winner", "reason": ""}]}}, "window": {"context_window": 128000, "system_prompt": 60, "tool_schemas": 109, "injected": 0, "history": 8, "output_reserve": 4096}, "counts": {"transcript": 1, "sent": 1, "trimmed": 0, "repaired": 0, "last_turn": 1}, "counter": "o200k_base", "notes": [], "version": 1}','{"model": "demo/mirror", "temperature": null, "max_tokens": null}','{"system_prompt": "ed1e0cd29d2c9ad3bc4b7b95b654f16a6f464b4aa4e6337af94d4a9fcf51e6c1", "tools": "1a68f440e74b2ea4c1736f68947012eec2c0272c5487a32fe798739fa03b2d4a"}','de8ff25d96fc880681b7b0f3ea7aa7f18ccdcd68d8c146647c24ac52b0d649a9',1,3.3,'2026-11-24 00:04:46.646134',2,'558d3ace77184aa5bc68490805c68e7c');
CREATE TABLE "history_conversation" ("id" char(32) NOT NULL PRIMARY KEY, "visitor" varchar(32) NOT NULL, "title" varchar(200) NOT NULL, "history_settings" text NOT NULL CHECK ((JSON_VALID("history_settings") OR "history_settings" IS NULL)), "created" datetime NOT NULL, "active" datetime NOT NULL, "agent_id" bigint NOT NULL REFERENCES "agents_agenttemplate" ("id") DEFERRABLE INITIALLY DEFERRED, "branch_id" bigint NULL REFERENCES "history_branch" ("id") DEFERRABLE INITIALLY DEFERRED, "owner_id" integer NULL REFERENCES "auth_user" ("id") DEFERRABLE INITIALLY DEFERRED, CONSTRAINT "history_conversation_one_owner" CHECK ((("owner_id" IS NOT NULL AND "visitor" = '') OR ("owner_id" IS NULL AND NOT ("visitor" = '')))));
INSERT INTO "history_conversation" VALUES('89fbb9bbe0c45ad1a357d48ba280f2bc','','What is a projection? 桜','{}','2026-11-24 00:04:33.651121','2026-11-24 00:04:41.828966',1,1,1);
INSERT INTO "history_conversation" VALUES('c9d74254fc1159f0b4630162b443c715','','A second chat.','{}','2026-11-24 00:04:46.605525','2026-11-24 00:04:46.611194',1,2,1);
CREATE TABLE "history_generation" ("id" char(32) NOT NULL PRIMARY KEY, "turn" integer unsigned NOT NULL CHECK ("turn" >= 0), "kind" varchar(8) NOT NULL, "status" varchar(11) NOT NULL, "snapshot" text NOT NULL CHECK ((JSON_VALID("snapshot") OR "snapshot" IS NULL)), "owner" varchar(40) NOT NULL, "heartbeat_at" datetime NULL, "seq" integer unsigned NOT NULL CHECK ("seq" >= 0), "error" text NULL CHECK ((JSON_VALID("error") OR "error" IS NULL)), "created" datetime NOT NULL, "started" datetime NULL, "ended" datetime NULL, "branch_id" bigint NOT NULL REFERENCES "history_branch" ("id") DEFERRABLE INITIALLY DEFERRED, "conversation_id" char(32) NOT NULL REFERENCES "history_conversation" ("id") DEFERRABLE INITIALLY DEFERRED);
INSERT INTO "history_generation" VALUES('fa6620e5b4f04b64acdc5aad9a97d8af',1,'answer','done','{"agent": {"slug": "demo", "name": "Vitrine", "version": 1, "source": "template demo v1", "model": "demo/mirror", "system_prompt": "ed1e0cd29d2c9ad3bc4b7b95b654f16a6f464b4aa4e6337af94d4a9fcf51e6c1", "temperature": null, "output_limit": null, "tools": ["calculator", "current_time"], "prompt_is_public": true, "history_settings": {"policy": "lastN", "length": 20}}, "settings": {"policy": {"locked": false, "candidates": [{"layer": "template", "source": "template demo v1", "raw": "lastN", "value": "lastN", "outcome": "winner", "reason": ""}, {"layer": "built_in", "source": "built-in", "raw": "lastN", "value": "lastN", "outcome": "outranked", "reason": "same value, lower rank"}]}, "length": {"locked": false, "candidates": [{"layer": "template", "source": "template demo v1", "raw": 20, "value": 20, "outcome": "winner", "reason": ""}, {"layer": "built_in", "source": "built-in", "raw": 20, "value": 20, "outcome": "outranked", "reason": "same value, lower rank"}]}, "preserve_system_messages": {"locked": false, "candidates": [{"layer": "built_in", "source": "built-in", "raw": true, "value": true, "outcome": "winner", "reason": ""}]}, "context_window": {"locked": false, "candidates": [{"layer": "built_in", "source": "model catalogue", "raw": 128000, "value": 128000, "outcome": "winner", "reason": ""}]}, "output_reserve": {"locked": false, "candidates": [{"layer": "built_in", "source": "built-in", "raw": 4096, "value": 4096, "outcome": "winner", "reason": ""}]}}, "query": "?agent=demo"}','vm:8ba3f7dc4f4a','2026-11-24 00:04:38.951548',82,NULL,'2026-11-24 00:04:33.663900','2026-11-24 00:04:33.670254','2026-11-24 00:04:38.953123',1,'89fbb9bbe0c45ad1a357d48ba280f2bc');
INSERT INTO "history_generation" VALUES('101333af2e1c48b695d1eaaebfaa6c91',2,'answer','done','{"agent": {"slug": "demo", "name": "Vitrine", "version": 1, "source": "template demo v1", "model": "demo/mirror", "system_prompt": "ed1e0cd29d2c9ad3bc4b7b95b654f16a6f464b4aa4e6337af94d4a9fcf51e6c1", "temperature": null, "output_limit": null, "tools": ["calculator", "current_time"], "prompt_is_public": true, "history_settings": {"policy": "lastN", "length": 20}}, "settings": {"policy": {"locked": false, "candidates": [{"layer": "template", "source": "template demo v1", "raw": "lastN", "value": "lastN", "outcome": "winner", "reason": ""}, {"layer": "built_in", "source": "built-in", "raw": "lastN", "value": "lastN", "outcome": "outranked", "reason": "same value, lower rank"}]}, "length": {"locked": false, "candidates": [{"layer": "template", "source": "template demo v1", "raw": 20, "value": 20, "outcome": "winner", "reason": ""}, {"layer": "built_in", "source": "built-in", "raw": 20, "value": 20, "outcome": "outranked", "reason": "same value, lower rank"}]}, "preserve_system_messages": {"locked": false, "candidates": [{"layer": "built_in", "source": "built-in", "raw": true, "value": true, "outcome": "winner", "reason": ""}]}, "context_window": {"locked": false, "candidates": [{"layer": "built_in", "source": "model catalogue", "raw": 128000, "value": 128000, "outcome": "winner", "reason": ""}]}, "output_reserve": {"locked": false, "candidates": [{"layer": "built_in", "source": "built-in", "raw": 4096, "value": 4096, "outcome": "winner", "reason": ""}]}}, "query": "?agent=demo"}','vm:8ba3f7dc4f4a','2026-11-24 00:04:43.521204',54,NULL,'2026-11-24 00:04:41.828814','2026-11-24 00:04:41.839387','2026-11-24 00:04:43.522652',1,'89fbb9bbe0c45ad1a357d48ba280f2bc');
INSERT INTO "history_generation" VALUES('558d3ace77184aa5bc68490805c68e7c',1,'answer','done','{"agent": {"slug": "demo", "name": "Vitrine", "version": 1, "source": "template demo v1", "model": "demo/mirror", "system_prompt": "ed1e0cd29d2c9ad3bc4b7b95b654f16a6f464b4aa4e6337af94d4a9fcf51e6c1", "temperature": null, "output_limit": null, "tools": ["calculator", "current_time"], "prompt_is_public": true, "history_settings": {"policy": "lastN", "length": 20}}, "settings": {"policy": {"locked": false, "candidates": [{"layer": "template", "source": "template demo v1", "raw": "lastN", "value": "lastN", "outcome": "winner", "reason": ""}, {"layer": "built_in", "source": "built-in", "raw": "lastN", "value": "lastN", "outcome": "outranked", "reason": "same value, lower rank"}]}, "length": {"locked": false, "candidates": [{"layer": "template", "source": "template demo v1", "raw": 20, "value": 20, "outcome": "winner", "reason": ""}, {"layer": "built_in", "source": "built-in", "raw": 20, "value": 20, "outcome": "outranked", "reason": "same value, lower rank"}]}, "preserve_system_messages": {"locked": false, "candidates": [{"layer": "built_in", "source": "built-in", "raw": true, "value": true, "outcome": "winner", "reason": ""}]}, "context_window": {"locked": false, "candidates": [{"layer": "built_in", "source": "model catalogue", "raw": 128000, "value": 128000, "outcome": "winner", "reason": ""}]}, "output_reserve": {"locked": false, "candidates": [{"layer": "built_in", "source": "built-in", "raw": 4096, "value": 4096, "outcome": "winner", "reason": ""}]}}, "query": "?agent=demo"}','vm:8ba3f7dc4f4a','2026-11-24 00:04:49.009481',78,NULL,'2026-11-24 00:04:46.611091','2026-11-24 00:04:46.620792','2026-11-24 00:04:49.061579',2,'c9d74254fc1159f0b4630162b443c715');
CREATE TABLE "history_generationevent" ("id" integer NOT NULL PRIMARY KEY AUTOINCREMENT, "seq" integer unsigned NOT NULL CHECK ("seq" >= 0), "kind" varchar(20) NOT NULL, "payload" text NOT NULL CHECK ((JSON_VALID("payload") OR "payload" IS NULL)), "generation_id" char(32) NOT NULL REFERENCES "history_generation" ("id") DEFERRABLE INITIALLY DEFERRED, CONSTRAINT "history_event_seq" UNIQUE ("generation_id", "seq"));
CREATE TABLE "history_message" ("id" integer NOT NULL PRIMARY KEY AUTOINCREMENT, "position" integer unsigned NOT NULL CHECK ("position" >= 0), "turn" integer unsigned NOT NULL CHECK ("turn" >= 0), "segment" integer unsigned NOT NULL CHECK ("segment" >= 0), "role" varchar(9) NOT NULL, "text" text NOT NULL, "has_text" bool NOT NULL, "tool_calls" text NOT NULL CHECK ((JSON_VALID("tool_calls") OR "tool_calls" IS NULL)), "tool_call_id" varchar(200) NOT NULL, "tool_name" varchar(200) NOT NULL, "failed" bool NOT NULL, "agent" varchar(50) NOT NULL, "tokens" integer unsigned NOT NULL CHECK ("tokens" >= 0), "tokens_through" bigint unsigned NOT NULL CHECK ("tokens_through" >= 0), "results_through" integer unsigned NOT NULL CHECK ("results_through" >= 0), "client_msg_id" char(32) NULL, "cold" bool NOT NULL, "created" datetime NOT NULL, "branch_id" bigint NOT NULL REFERENCES "history_branch" ("id") DEFERRABLE INITIALLY DEFERRED, "conversation_id" char(32) NOT NULL REFERENCES "history_conversation" ("id") DEFERRABLE INITIALLY DEFERRED, "generation_id" char(32) NULL REFERENCES "history_generation" ("id") DEFERRABLE INITIALLY DEFERRED, CONSTRAINT "history_message_position" UNIQUE ("branch_id", "position"), CONSTRAINT "history_message_role" CHECK ("role" IN ('system', 'user', 'assistant', 'tool')));
INSERT INTO "history_message" VALUES(1,0,1,0,'user','What is a projection? 桜',1,'[]','','',0,'',11,11,0,'1fa65bf165db4ebf9c6bf8f290810ad1',0,'2026-11-24 00:04:33.662133',1,'89fbb9bbe0c45ad1a357d48ba280f2bc',NULL);
INSERT INTO "history_message" VALUES(2,1,1,1,'assistant','You wrote:

> What is a projection? 桜

I am the offline demo model, so I can only mirror that. Say `help` to see how to set up a real one. What I do understand:

- **Facts.** Say `My name is Ada`, chat on, then ask `What is my name?`
- **Tools.** Ask `What is 12 * (3 + 4)?` or `What time is it in Asia/Tokyo?`
- **Layout.** Ask to `show me code`, for `a table`, or for `a long answer`.
- **Pace.** Add the word `slowly`, and press Stop or reload in the middle.

---

*Offline demo model. I was sent 1 message and a system prompt; the oldest I can see is yours:* “What is a projection? 桜”',1,'[]','','',0,'demo',185,196,0,NULL,0,'2026-11-24 00:04:38.954473',1,'89fbb9bbe0c45ad1a357d48ba280f2bc','fa6620e5b4f04b64acdc5aad9a97d8af');
INSERT INTO "history_message" VALUES(3,2,2,2,'user','Show me a table, please.',1,'[]','','',0,'',11,207,0,'78960aed490940578c74d5763e48d5c0',0,'2026-11-24 00:04:41.818878',1,'89fbb9bbe0c45ad1a357d48ba280f2bc',NULL);
INSERT INTO "history_message" VALUES(4,3,2,3,'assistant','The newest messages that I was sent:

| # | role | text |
|--:|---|---|
| 1 | user | “What is a projection? 桜” |
| 2 | assistant | “You wrote: \> What is a projection? 桜 I am the offline demo m…” |
| 3 | user | “Show me a table, please.” |

---

*Offline demo model. I was sent 3 messages and a system prompt; the oldest I can see is yours:* “What is a projection? 桜”',1,'[]','','',0,'demo',119,326,0,NULL,0,'2026-11-24 00:04:43.523733',1,'89fbb9bbe0c45ad1a357d48ba280f2bc','101333af2e1c48b695d1eaaebfaa6c91');
INSERT INTO "history_message" VALUES(5,0,1,0,'user','A second chat.',1,'[]','','',0,'',8,8,0,'64bbdf404d754a06ab08b57475a62c7d',0,'2026-11-24 00:04:46.609605',2,'c9d74254fc1159f0b4630162b443c715',NULL);
INSERT INTO "history_message" VALUES(6,1,1,1,'assistant','You wrote:

> A second chat.

I am the offline demo model, so I can only mirror that. Say `help` to see how to set up a real one. What I do understand:

- **Facts.** Say `My name is Ada`, chat on, then ask `What is my name?`
- **Tools.** Ask `What is 12 * (3 + 4)?` or `What time is it in Asia/Tokyo?`
- **Layout.** Ask to `show me code`, for `a table`, or for `a long answer`.
- **Pace.** Add the word `slowly`, and press Stop or reload in the middle.

---

*Offline demo model. I was sent 1 message and a system prompt; the oldest I can see is yours:* “A second chat.”',1,'[]','','',0,'demo',177,185,0,NULL,0,'2026-11-24 00:04:49.062961',2,'c9d74254fc1159f0b4630162b443c715','558d3ace77184aa5bc68490805c68e7c');
CREATE TABLE "history_requestoutcome" ("id" integer NOT NULL PRIMARY KEY AUTOINCREMENT, "finish_reason" varchar(40) NOT NULL, "usage" text NULL CHECK ((JSON_VALID("usage") OR "usage" IS NULL)), "attempts" integer unsigned NOT NULL CHECK ("attempts" >= 0), "first_token_ms" real NULL, "total_ms" real NOT NULL, "error" text NULL CHECK ((JSON_VALID("error") OR "error" IS NULL)), "created" datetime NOT NULL, "plan_id" bigint NOT NULL UNIQUE REFERENCES "history_contextplan" ("id") DEFERRABLE INITIALLY DEFERRED);
INSERT INTO "history_requestoutcome" VALUES(1,'stop','{"prompt": 180, "completion": 185, "cache_read": 0}',1,2864.67,5259.84,NULL,'2026-11-24 00:04:38.950574',1);
INSERT INTO "history_requestoutcome" VALUES(2,'stop','{"prompt": 376, "completion": 119, "cache_read": 0}',1,15.69,1624.83,NULL,'2026-11-24 00:04:43.520434',2);
INSERT INTO "history_requestoutcome" VALUES(3,'stop','{"prompt": 177, "completion": 177, "cache_read": 0}',1,5.47,2385.37,NULL,'2026-11-24 00:04:49.045921',3);
CREATE TABLE "history_storedtext" ("hash" varchar(64) NOT NULL PRIMARY KEY, "text" text NOT NULL);
INSERT INTO "history_storedtext" VALUES('ed1e0cd29d2c9ad3bc4b7b95b654f16a6f464b4aa4e6337af94d4a9fcf51e6c1','You are a friendly, attentive assistant. Answer in plain words, as briefly as the question allows, and use Markdown where it helps. Use your tools for arithmetic and for the time instead of guessing. If something was said too long ago for you to see it, say so.');
INSERT INTO "history_storedtext" VALUES('1a68f440e74b2ea4c1736f68947012eec2c0272c5487a32fe798739fa03b2d4a','[{"function": {"description": "Exact arithmetic: + - * / // % ** ( ), sqrt, abs, round, min, max.", "name": "calculator", "parameters": {"properties": {"expression": {"description": "For example: 12 * (3 + 4)", "type": "string"}}, "required": ["expression"], "type": "object"}}, "type": "function"}, {"function": {"description": "The current date and time in a time zone.", "name": "current_time", "parameters": {"properties": {"timezone": {"description": "An IANA name such as Europe/Paris. UTC if left out.", "type": "string"}}, "type": "object"}}, "type": "function"}]');
CREATE UNIQUE INDEX "auth_group_permissions_group_id_permission_id_0cd325b0_uniq" ON "auth_group_permissions" ("group_id", "permission_id");
CREATE INDEX "auth_group_permissions_group_id_b120cbf9" ON "auth_group_permissions" ("group_id");
CREATE INDEX "auth_group_permissions_permission_id_84c5c92e" ON "auth_group_permissions" ("permission_id");
CREATE UNIQUE INDEX "auth_user_groups_user_id_group_id_94350c0c_uniq" ON "auth_user_groups" ("user_id", "group_id");
CREATE INDEX "auth_user_groups_user_id_6a12ed8b" ON "auth_user_groups" ("user_id");
CREATE INDEX "auth_user_groups_group_id_97559544" ON "auth_user_groups" ("group_id");
CREATE UNIQUE INDEX "auth_user_user_permissions_user_id_permission_id_14a6b632_uniq" ON "auth_user_user_permissions" ("user_id", "permission_id");
CREATE INDEX "auth_user_user_permissions_user_id_a95ead1b" ON "auth_user_user_permissions" ("user_id");
CREATE INDEX "auth_user_user_permissions_permission_id_1fbb5f2c" ON "auth_user_user_permissions" ("permission_id");
CREATE INDEX "django_admin_log_content_type_id_c4bce8eb" ON "django_admin_log" ("content_type_id");
CREATE INDEX "django_admin_log_user_id_c564eba6" ON "django_admin_log" ("user_id");
CREATE INDEX "agents_historicalagenttemplate_id_ca571526" ON "agents_historicalagenttemplate" ("id");
CREATE INDEX "agents_historicalagenttemplate_slug_c59ccef7" ON "agents_historicalagenttemplate" ("slug");
CREATE INDEX "agents_historicalagenttemplate_history_date_88901917" ON "agents_historicalagenttemplate" ("history_date");
CREATE INDEX "agents_historicalagenttemplate_history_user_id_b1a87c85" ON "agents_historicalagenttemplate" ("history_user_id");
CREATE INDEX "agents_historicalsitedefaults_id_4dd6ad46" ON "agents_historicalsitedefaults" ("id");
CREATE INDEX "agents_historicalsitedefaults_history_date_a673fccb" ON "agents_historicalsitedefaults" ("history_date");
CREATE INDEX "agents_historicalsitedefaults_history_user_id_1ddb73c4" ON "agents_historicalsitedefaults" ("history_user_id");
CREATE UNIQUE INDEX "django_content_type_app_label_model_76bd3d3b_uniq" ON "django_content_type" ("app_label", "model");
CREATE UNIQUE INDEX "auth_permission_content_type_id_codename_01ab375a_uniq" ON "auth_permission" ("content_type_id", "codename");
CREATE INDEX "auth_permission_content_type_id_2f476e4b" ON "auth_permission" ("content_type_id");
CREATE INDEX "history_branch_conversation_id_f49f8647" ON "history_branch" ("conversation_id");
CREATE INDEX "history_generation_branch_id_d470a4d3" ON "history_generation" ("branch_id");
CREATE INDEX "history_generation_conversation_id_ad2c23a3" ON "history_generation" ("conversation_id");
CREATE INDEX "history_conversation_agent_id_2b0a430c" ON "history_conversation" ("agent_id");
CREATE INDEX "history_conversation_branch_id_c8add68a" ON "history_conversation" ("branch_id");
CREATE INDEX "history_conversation_owner_id_66affe68" ON "history_conversation" ("owner_id");
CREATE INDEX "history_conv_owner" ON "history_conversation" ("owner_id", "active" DESC);
CREATE INDEX "history_conv_visitor" ON "history_conversation" ("visitor", "active" DESC);
CREATE INDEX "history_generation_recent" ON "history_generation" ("conversation_id", "created");
CREATE INDEX "history_generation_reaper" ON "history_generation" ("status", "heartbeat_at");
CREATE UNIQUE INDEX "history_generation_one_active" ON "history_generation" ("conversation_id") WHERE "status" IN ('queued', 'running');
CREATE INDEX "history_contextplan_branch_id_55788617" ON "history_contextplan" ("branch_id");
CREATE INDEX "history_contextplan_generation_id_68c80d08" ON "history_contextplan" ("generation_id");
CREATE INDEX "history_generationevent_generation_id_96a2652b" ON "history_generationevent" ("generation_id");
CREATE UNIQUE INDEX "history_message_client_id" ON "history_message" ("conversation_id", "client_msg_id") WHERE "client_msg_id" IS NOT NULL;
CREATE INDEX "history_message_branch_id_00ce2a6d" ON "history_message" ("branch_id");
CREATE INDEX "history_message_conversation_id_7c059560" ON "history_message" ("conversation_id");
CREATE INDEX "history_message_generation_id_469c5338" ON "history_message" ("generation_id");
CREATE INDEX "history_message_turn" ON "history_message" ("branch_id", "turn", "position");
CREATE INDEX "history_message_segment" ON "history_message" ("branch_id", "segment");
CREATE INDEX "history_message_result" ON "history_message" ("conversation_id", "tool_call_id") WHERE NOT ("tool_call_id" = '');
CREATE INDEX "history_message_system" ON "history_message" ("branch_id", "position") WHERE "role" = 'system';
CREATE INDEX "history_message_answer" ON "history_message" ("branch_id", "position") WHERE ("has_text" AND "role" = 'assistant');
CREATE INDEX "django_session_expire_date_a5c62663" ON "django_session" ("expire_date");
CREATE TRIGGER history_message_append_only BEFORE UPDATE ON history_message BEGIN SELECT RAISE(ABORT, 'history_message is append-only'); END;
CREATE TRIGGER history_contextplan_append_only BEFORE UPDATE ON history_contextplan BEGIN SELECT RAISE(ABORT, 'history_contextplan is append-only'); END;
CREATE TRIGGER history_requestoutcome_append_only BEFORE UPDATE ON history_requestoutcome BEGIN SELECT RAISE(ABORT, 'history_requestoutcome is append-only'); END;
CREATE TRIGGER history_storedtext_append_only BEFORE UPDATE ON history_storedtext BEGIN SELECT RAISE(ABORT, 'history_storedtext is append-only'); END;
DELETE FROM "sqlite_sequence";
INSERT INTO "sqlite_sequence" VALUES('django_migrations',20);
INSERT INTO "sqlite_sequence" VALUES('django_admin_log',0);
INSERT INTO "sqlite_sequence" VALUES('django_content_type',18);
INSERT INTO "sqlite_sequence" VALUES('auth_permission',72);
INSERT INTO "sqlite_sequence" VALUES('auth_group',0);
INSERT INTO "sqlite_sequence" VALUES('auth_user',1);
INSERT INTO "sqlite_sequence" VALUES('history_branch',2);
INSERT INTO "sqlite_sequence" VALUES('history_contextplan',3);
INSERT INTO "sqlite_sequence" VALUES('history_generationevent',214);
INSERT INTO "sqlite_sequence" VALUES('history_message',6);
INSERT INTO "sqlite_sequence" VALUES('agents_agenttemplate',4);
INSERT INTO "sqlite_sequence" VALUES('agents_historicalagenttemplate',4);
INSERT INTO "sqlite_sequence" VALUES('history_requestoutcome',3);
COMMIT;
