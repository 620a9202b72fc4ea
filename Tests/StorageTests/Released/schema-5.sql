PRAGMA foreign_keys=OFF;
BEGIN TRANSACTION;
CREATE TABLE account (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  body TEXT NOT NULL
) STRICT;
INSERT INTO "account" VALUES(1,'{"name":"Owner","email":"","mobile":"","country":"","language":"en","possessive":"their","zone":"UTC","contacts":[{"id":"contact-1","name":"Contact 1","address":"contact-1@example.org"},{"id":"contact-2","name":"Contact 2","address":"contact-2@example.org"}],"places":[],"isSetUp":true,"isLoggedIn":true,"isEmailConfirmed":false,"isProtecting":false,"mayLocate":true}');
CREATE TABLE companion (
  kind TEXT NOT NULL,
  id TEXT NOT NULL,
  body TEXT NOT NULL,
  PRIMARY KEY (kind, id)
) STRICT, WITHOUT ROWID;
CREATE TABLE device (
  id INTEGER PRIMARY KEY,
  body TEXT NOT NULL
) STRICT;
CREATE TABLE event (
  id INTEGER PRIMARY KEY,
  device INTEGER NOT NULL,
  number INTEGER NOT NULL,
  kind INTEGER NOT NULL,
  clock INTEGER NOT NULL,
  nonce INTEGER NOT NULL,
  payload BLOB NOT NULL,
  meaning TEXT NOT NULL,
  incident TEXT,
  received_wall INTEGER NOT NULL,
  happened_at INTEGER,
  UNIQUE (device, number, kind, clock, nonce)
) STRICT;
INSERT INTO "event" VALUES(1,-9223372036854772981,4294967297,3,0,3735928559,X'0B0B0000000000800100000001000000030000000000000000EFBEADDE204E000000000000FF000000000000000000FFFFFFFFFFFF00','noted',NULL,1768452420000000,NULL);
INSERT INTO "event" VALUES(2,-9223372036854772981,4294967298,1,10000000,3735928559,X'0B0B0000000000800200000001000000018096980000000000EFBEADDE204E000000000000FF000000000000000000FFFFFFFFFFFF00','alarm','572d7ee300000002-00000001-8000000000000b0b',1768452430000000,1009000050);
INSERT INTO "event" VALUES(3,-9223372036854772981,4294967299,2,11000000,3735928559,X'0B0B000000000080030000000100000002C0D8A70000000000EFBEADDE204E000000000000FF000000000000000000FFFFFFFFFFFF00','noted',NULL,1768452431000000,NULL);
INSERT INTO "event" VALUES(4,-9223372036854772981,4294967300,1,100000000,3735928559,X'0B0B00000000008004000000010000000100E1F50500000000EFBEADDE204E000000000000FF000000000000000000FFFFFFFFFFFF00','alarm','68b834a300000004-00000001-8000000000000b0b',1768452520000000,NULL);
INSERT INTO "event" VALUES(5,-9223372036854772981,4294967301,2,101000000,3735928559,X'0B0B0000000000800500000001000000024023050600000000EFBEADDE204E000000000000FF000000000000000000FFFFFFFFFFFF00','noted',NULL,1768452521000000,NULL);
INSERT INTO "event" VALUES(6,-9223372036854772981,4294967302,1,104000000,3735928559,X'0B0B00000000008006000000010000000100EA320600000000EFBEADDE0000000000000000FF000000000000000000FFFFFFFFFFFF00','alarm','68b834a300000004-00000001-8000000000000b0b',1768452524000000,NULL);
INSERT INTO "event" VALUES(7,-9223372036854772981,4294967303,2,104000000,3735928559,X'0B0B00000000008007000000010000000200EA320600000000EFBEADDE204E000000000000FF000000000000000000FFFFFFFFFFFF00','noted',NULL,1768452524000000,NULL);
CREATE TABLE grdb_migrations (identifier TEXT NOT NULL PRIMARY KEY);
INSERT INTO "grdb_migrations" VALUES('1: events, incidents, notifications, track, log');
INSERT INTO "grdb_migrations" VALUES('2: meanings that are still open');
INSERT INTO "grdb_migrations" VALUES('3: who did it, devices, settings, lists of incidents');
INSERT INTO "grdb_migrations" VALUES('4: facts of the log''s lines');
INSERT INTO "grdb_migrations" VALUES('5: check-ins');
CREATE TABLE incident (
  id TEXT PRIMARY KEY,
  state TEXT NOT NULL,
  opened_wall INTEGER NOT NULL,
  end_reason TEXT,
  ended_wall INTEGER,
  body TEXT NOT NULL
) STRICT, WITHOUT ROWID;
INSERT INTO "incident" VALUES('572d7ee300000002-00000001-8000000000000b0b','NO_EMERGENCY',1768452430000000,'disarmed',1768452440000000,'{"id":"572d7ee300000002-00000001-8000000000000b0b","state":"NO_EMERGENCY","openedAt":{"boot":18369614221190020847,"instant":1010000000,"wall":1768452430000000},"isBench":true,"aliases":[],"device":"8000000000000b0b","presses":[],"furtherPresses":0,"trackingSince":{"boot":18369614221190020847,"instant":1010000000,"wall":1768452430000000},"sentAt":{"boot":18369614221190020847,"instant":1010000000,"wall":1768452430000000},"endedAt":{"boot":18369614221190020847,"instant":1020000000,"wall":1768452440000000},"endReason":"disarmed","sounder":false,"acknowledgedBy":[],"surveyOpened":false,"told":["contact-1","contact-2"],"messages":1,"lastMessageAt":{"boot":18369614221190020847,"instant":1010000000,"wall":1768452430000000},"fixes":0,"seenAtDisarm":[]}');
INSERT INTO "incident" VALUES('68b834a300000004-00000001-8000000000000b0b','EMERGENCY_SENT',1768452520000000,NULL,NULL,'{"id":"68b834a300000004-00000001-8000000000000b0b","state":"EMERGENCY_SENT","openedAt":{"boot":18369614221190020847,"instant":1100000000,"wall":1768452520000000},"isBench":true,"aliases":[],"device":"8000000000000b0b","presses":[],"furtherPresses":0,"trackingSince":{"boot":18369614221190020847,"instant":1100000000,"wall":1768452520000000},"sentAt":{"boot":18369614221190020847,"instant":1100000000,"wall":1768452520000000},"lastPressAt":{"boot":18369614221190020847,"instant":1104000000,"wall":1768452524000000},"sounder":true,"acknowledgedBy":[],"surveyOpened":false,"told":["contact-1","contact-2"],"messages":2,"lastMessageAt":{"boot":18369614221190020847,"instant":1104000000,"wall":1768452524000000},"fixes":0,"furtherAlarms":1,"seenAtDisarm":[]}');
CREATE TABLE incident_list (
  incident TEXT NOT NULL,
  list TEXT NOT NULL CHECK (list IN ('press', 'alias')),
  position INTEGER NOT NULL,
  body TEXT NOT NULL,
  PRIMARY KEY (incident, list, position)
) STRICT, WITHOUT ROWID;
INSERT INTO "incident_list" VALUES('572d7ee300000002-00000001-8000000000000b0b','press',0,'{"event":"1.2","device":"8000000000000b0b","receivedAt":{"boot":18369614221190020847,"instant":1010000000,"wall":1768452430000000},"covers":1}');
INSERT INTO "incident_list" VALUES('68b834a300000004-00000001-8000000000000b0b','alias',0,'"4728990100000006-00000001-8000000000000b0b"');
INSERT INTO "incident_list" VALUES('68b834a300000004-00000001-8000000000000b0b','press',0,'{"event":"1.4","device":"8000000000000b0b","receivedAt":{"boot":18369614221190020847,"instant":1100000000,"wall":1768452520000000},"covers":1}');
INSERT INTO "incident_list" VALUES('68b834a300000004-00000001-8000000000000b0b','press',1,'{"event":"1.6","device":"8000000000000b0b","receivedAt":{"boot":18369614221190020847,"instant":1104000000,"wall":1768452524000000},"covers":1}');
CREATE TABLE log (
  id INTEGER PRIMARY KEY,
  wall INTEGER NOT NULL,
  name TEXT NOT NULL,
  incident TEXT,
  device TEXT,
  event TEXT,
  contact TEXT,
  detail TEXT
, who TEXT, sink TEXT, next_wall INTEGER, facts TEXT) STRICT;
INSERT INTO "log" VALUES(1,1768452420000000,'event',NULL,'8000000000000b0b','1.1',NULL,'booted',NULL,NULL,NULL,'{"type":"event","eventKind":3,"meaning":"noted"}');
INSERT INTO "log" VALUES(2,1768452430000000,'event',NULL,'8000000000000b0b','1.2',NULL,'pressed: alarm',NULL,NULL,NULL,'{"type":"event","eventKind":1,"meaning":"alarm"}');
INSERT INTO "log" VALUES(3,1768452430000000,'incidentOpened','572d7ee300000002-00000001-8000000000000b0b','8000000000000b0b','1.2',NULL,NULL,NULL,NULL,NULL,NULL);
INSERT INTO "log" VALUES(4,1768452430000000,'stateChanged','572d7ee300000002-00000001-8000000000000b0b',NULL,NULL,NULL,'NO_EMERGENCY → EMERGENCY_SENDING',NULL,NULL,NULL,'{"type":"transition","from":"NO_EMERGENCY","to":"EMERGENCY_SENDING"}');
INSERT INTO "log" VALUES(5,1768452430000000,'notified','572d7ee300000002-00000001-8000000000000b0b',NULL,NULL,'contact-1','raise 1',NULL,NULL,NULL,'{"type":"message","kind":"raise","sequence":1,"attempt":1}');
INSERT INTO "log" VALUES(6,1768452430000000,'notified','572d7ee300000002-00000001-8000000000000b0b',NULL,NULL,'contact-2','raise 1',NULL,NULL,NULL,'{"type":"message","kind":"raise","sequence":1,"attempt":1}');
INSERT INTO "log" VALUES(7,1768452430000000,'delivered','572d7ee300000002-00000001-8000000000000b0b',NULL,NULL,'contact-1','raise 1',NULL,NULL,NULL,'{"type":"message","kind":"raise","sequence":1,"attempt":1}');
INSERT INTO "log" VALUES(8,1768452430000000,'stateChanged','572d7ee300000002-00000001-8000000000000b0b',NULL,NULL,NULL,'EMERGENCY_SENDING → EMERGENCY_SENT',NULL,NULL,NULL,'{"type":"transition","from":"EMERGENCY_SENDING","to":"EMERGENCY_SENT"}');
INSERT INTO "log" VALUES(9,1768452430000000,'deliveryFailed','572d7ee300000002-00000001-8000000000000b0b',NULL,NULL,'contact-2','raise 1: refused',NULL,NULL,1768452430927105,'{"type":"message","kind":"raise","sequence":1,"attempt":1,"reason":"refused"}');
INSERT INTO "log" VALUES(10,1768452431000000,'notified','572d7ee300000002-00000001-8000000000000b0b',NULL,NULL,'contact-2','raise 1, attempt 2',NULL,NULL,NULL,'{"type":"message","kind":"raise","sequence":1,"attempt":2}');
INSERT INTO "log" VALUES(11,1768452431000000,'event',NULL,'8000000000000b0b','1.3',NULL,'released',NULL,NULL,NULL,'{"type":"event","eventKind":2,"meaning":"noted"}');
INSERT INTO "log" VALUES(12,1768452431000000,'deliveryFailed','572d7ee300000002-00000001-8000000000000b0b',NULL,NULL,'contact-2','raise 1, attempt 2: refused',NULL,NULL,1768452432726986,'{"type":"message","kind":"raise","sequence":1,"attempt":2,"reason":"refused"}');
INSERT INTO "log" VALUES(13,1768452440000000,'notified','572d7ee300000002-00000001-8000000000000b0b',NULL,NULL,'contact-2','raise 1, attempt 3',NULL,NULL,NULL,'{"type":"message","kind":"raise","sequence":1,"attempt":3}');
INSERT INTO "log" VALUES(14,1768452440000000,'stateChanged','572d7ee300000002-00000001-8000000000000b0b',NULL,NULL,NULL,'EMERGENCY_SENT → EMERGENCY_ENDED','',NULL,NULL,'{"type":"transition","from":"EMERGENCY_SENT","to":"EMERGENCY_ENDED"}');
INSERT INTO "log" VALUES(15,1768452440000000,'notified','572d7ee300000002-00000001-8000000000000b0b',NULL,NULL,'contact-1','closing 2',NULL,NULL,NULL,'{"type":"message","kind":"closing","sequence":2,"attempt":1}');
INSERT INTO "log" VALUES(16,1768452440000000,'deliveryFailed','572d7ee300000002-00000001-8000000000000b0b',NULL,NULL,'contact-2','raise 1, attempt 3: refused',NULL,NULL,NULL,'{"type":"message","kind":"raise","sequence":1,"attempt":3,"reason":"refused"}');
INSERT INTO "log" VALUES(17,1768452440000000,'notified','572d7ee300000002-00000001-8000000000000b0b',NULL,NULL,'contact-2','closing 2',NULL,NULL,NULL,'{"type":"message","kind":"closing","sequence":2,"attempt":1}');
INSERT INTO "log" VALUES(18,1768452440000000,'delivered','572d7ee300000002-00000001-8000000000000b0b',NULL,NULL,'contact-1','closing 2',NULL,NULL,NULL,'{"type":"message","kind":"closing","sequence":2,"attempt":1}');
INSERT INTO "log" VALUES(19,1768452440000000,'deliveryFailed','572d7ee300000002-00000001-8000000000000b0b',NULL,NULL,'contact-2','closing 2: refused',NULL,NULL,1768452440938552,'{"type":"message","kind":"closing","sequence":2,"attempt":1,"reason":"refused"}');
INSERT INTO "log" VALUES(20,1768452450000000,'notified','572d7ee300000002-00000001-8000000000000b0b',NULL,NULL,'contact-2','closing 2, attempt 2',NULL,NULL,NULL,'{"type":"message","kind":"closing","sequence":2,"attempt":2}');
INSERT INTO "log" VALUES(21,1768452450000000,'stateChanged','572d7ee300000002-00000001-8000000000000b0b',NULL,NULL,NULL,'EMERGENCY_ENDED → NO_EMERGENCY',NULL,NULL,NULL,'{"type":"transition","from":"EMERGENCY_ENDED","to":"NO_EMERGENCY"}');
INSERT INTO "log" VALUES(22,1768452450000000,'resumed','572d7ee300000002-00000001-8000000000000b0b',NULL,NULL,NULL,NULL,'',NULL,NULL,NULL);
INSERT INTO "log" VALUES(23,1768452450000000,'deliveryFailed','572d7ee300000002-00000001-8000000000000b0b',NULL,NULL,'contact-2','closing 2, attempt 2: refused',NULL,NULL,1768452451704177,'{"type":"message","kind":"closing","sequence":2,"attempt":2,"reason":"refused"}');
INSERT INTO "log" VALUES(24,1768452520000000,'notified','572d7ee300000002-00000001-8000000000000b0b',NULL,NULL,'contact-2','closing 2, attempt 3',NULL,NULL,NULL,'{"type":"message","kind":"closing","sequence":2,"attempt":3}');
INSERT INTO "log" VALUES(25,1768452520000000,'event',NULL,'8000000000000b0b','1.4',NULL,'pressed: alarm',NULL,NULL,NULL,'{"type":"event","eventKind":1,"meaning":"alarm"}');
INSERT INTO "log" VALUES(26,1768452520000000,'incidentOpened','68b834a300000004-00000001-8000000000000b0b','8000000000000b0b','1.4',NULL,NULL,NULL,NULL,NULL,NULL);
INSERT INTO "log" VALUES(27,1768452520000000,'stateChanged','68b834a300000004-00000001-8000000000000b0b',NULL,NULL,NULL,'NO_EMERGENCY → EMERGENCY_SENDING',NULL,NULL,NULL,'{"type":"transition","from":"NO_EMERGENCY","to":"EMERGENCY_SENDING"}');
INSERT INTO "log" VALUES(28,1768452520000000,'notified','68b834a300000004-00000001-8000000000000b0b',NULL,NULL,'contact-1','raise 1',NULL,NULL,NULL,'{"type":"message","kind":"raise","sequence":1,"attempt":1}');
INSERT INTO "log" VALUES(29,1768452520000000,'notified','68b834a300000004-00000001-8000000000000b0b',NULL,NULL,'contact-2','raise 1',NULL,NULL,NULL,'{"type":"message","kind":"raise","sequence":1,"attempt":1}');
INSERT INTO "log" VALUES(30,1768452520000000,'deliveryFailed','572d7ee300000002-00000001-8000000000000b0b',NULL,NULL,'contact-2','closing 2, attempt 3: refused',NULL,NULL,1768452523805271,'{"type":"message","kind":"closing","sequence":2,"attempt":3,"reason":"refused"}');
INSERT INTO "log" VALUES(31,1768452520000000,'delivered','68b834a300000004-00000001-8000000000000b0b',NULL,NULL,'contact-1','raise 1',NULL,NULL,NULL,'{"type":"message","kind":"raise","sequence":1,"attempt":1}');
INSERT INTO "log" VALUES(32,1768452520000000,'stateChanged','68b834a300000004-00000001-8000000000000b0b',NULL,NULL,NULL,'EMERGENCY_SENDING → EMERGENCY_SENT',NULL,NULL,NULL,'{"type":"transition","from":"EMERGENCY_SENDING","to":"EMERGENCY_SENT"}');
INSERT INTO "log" VALUES(33,1768452520000000,'deliveryFailed','68b834a300000004-00000001-8000000000000b0b',NULL,NULL,'contact-2','raise 1: refused',NULL,NULL,1768452520807645,'{"type":"message","kind":"raise","sequence":1,"attempt":1,"reason":"refused"}');
INSERT INTO "log" VALUES(34,1768452521000000,'notified','68b834a300000004-00000001-8000000000000b0b',NULL,NULL,'contact-2','raise 1, attempt 2',NULL,NULL,NULL,'{"type":"message","kind":"raise","sequence":1,"attempt":2}');
INSERT INTO "log" VALUES(35,1768452521000000,'event',NULL,'8000000000000b0b','1.5',NULL,'released',NULL,NULL,NULL,'{"type":"event","eventKind":2,"meaning":"noted"}');
INSERT INTO "log" VALUES(36,1768452521000000,'deliveryFailed','68b834a300000004-00000001-8000000000000b0b',NULL,NULL,'contact-2','raise 1, attempt 2: refused',NULL,NULL,1768452522991004,'{"type":"message","kind":"raise","sequence":1,"attempt":2,"reason":"refused"}');
INSERT INTO "log" VALUES(37,1768452524000000,'notified','68b834a300000004-00000001-8000000000000b0b',NULL,NULL,'contact-2','raise 1, attempt 3',NULL,NULL,NULL,'{"type":"message","kind":"raise","sequence":1,"attempt":3}');
INSERT INTO "log" VALUES(38,1768452524000000,'event',NULL,'8000000000000b0b','1.6',NULL,'pressed: alarm',NULL,NULL,NULL,'{"type":"event","eventKind":1,"meaning":"alarm"}');
INSERT INTO "log" VALUES(39,1768452524000000,'pressAdded','68b834a300000004-00000001-8000000000000b0b','8000000000000b0b','1.6',NULL,NULL,NULL,NULL,NULL,NULL);
INSERT INTO "log" VALUES(40,1768452524000000,'notified','68b834a300000004-00000001-8000000000000b0b',NULL,NULL,'contact-1','update 2',NULL,NULL,NULL,'{"type":"message","kind":"update","sequence":2,"attempt":1}');
INSERT INTO "log" VALUES(41,1768452524000000,'deliveryFailed','68b834a300000004-00000001-8000000000000b0b',NULL,NULL,'contact-2','raise 1, attempt 3: refused',NULL,NULL,1768452527578888,'{"type":"message","kind":"raise","sequence":1,"attempt":3,"reason":"refused"}');
INSERT INTO "log" VALUES(42,1768452524000000,'delivered','68b834a300000004-00000001-8000000000000b0b',NULL,NULL,'contact-1','update 2',NULL,NULL,NULL,'{"type":"message","kind":"update","sequence":2,"attempt":1}');
INSERT INTO "log" VALUES(43,1768452524000000,'event',NULL,'8000000000000b0b','1.7',NULL,'released',NULL,NULL,NULL,'{"type":"event","eventKind":2,"meaning":"noted"}');
CREATE TABLE notification (
  key TEXT PRIMARY KEY,
  incident TEXT NOT NULL,
  delivery TEXT NOT NULL,
  body TEXT NOT NULL
) STRICT, WITHOUT ROWID;
INSERT INTO "notification" VALUES('572d7ee300000002-00000001-8000000000000b0b/contact-1/closing/2','572d7ee300000002-00000001-8000000000000b0b','delivered','{"key":"572d7ee300000002-00000001-8000000000000b0b/contact-1/closing/2","incident":"572d7ee300000002-00000001-8000000000000b0b","isBench":true,"contact":{"id":"contact-1","name":"Contact 1","address":"contact-1@example.org"},"kind":"closing","sequence":2,"decidedAt":{"boot":18369614221190020847,"instant":1020000000,"wall":1768452440000000},"openedAt":{"boot":18369614221190020847,"instant":1010000000,"wall":1768452430000000},"pressedAt":{"boot":18369614221190020847,"instant":1010000000,"wall":1768452430000000},"endReason":"disarmed","aliases":[],"delivery":"delivered","attempts":1}');
INSERT INTO "notification" VALUES('572d7ee300000002-00000001-8000000000000b0b/contact-1/raise/1','572d7ee300000002-00000001-8000000000000b0b','delivered','{"key":"572d7ee300000002-00000001-8000000000000b0b/contact-1/raise/1","incident":"572d7ee300000002-00000001-8000000000000b0b","isBench":true,"contact":{"id":"contact-1","name":"Contact 1","address":"contact-1@example.org"},"kind":"raise","sequence":1,"decidedAt":{"boot":18369614221190020847,"instant":1010000000,"wall":1768452430000000},"openedAt":{"boot":18369614221190020847,"instant":1010000000,"wall":1768452430000000},"pressedAt":{"boot":18369614221190020847,"instant":1010000000,"wall":1768452430000000},"aliases":[],"delivery":"delivered","attempts":1}');
INSERT INTO "notification" VALUES('572d7ee300000002-00000001-8000000000000b0b/contact-2/closing/2','572d7ee300000002-00000001-8000000000000b0b','due','{"key":"572d7ee300000002-00000001-8000000000000b0b/contact-2/closing/2","incident":"572d7ee300000002-00000001-8000000000000b0b","isBench":true,"contact":{"id":"contact-2","name":"Contact 2","address":"contact-2@example.org"},"kind":"closing","sequence":2,"decidedAt":{"boot":18369614221190020847,"instant":1020000000,"wall":1768452440000000},"openedAt":{"boot":18369614221190020847,"instant":1010000000,"wall":1768452430000000},"pressedAt":{"boot":18369614221190020847,"instant":1010000000,"wall":1768452430000000},"endReason":"disarmed","aliases":[],"delivery":"due","attempts":3,"nextAttempt":{"boot":18369614221190020847,"instant":1103805271,"wall":1768452523805271},"lastError":"refused"}');
INSERT INTO "notification" VALUES('572d7ee300000002-00000001-8000000000000b0b/contact-2/raise/1','572d7ee300000002-00000001-8000000000000b0b','withdrawn','{"key":"572d7ee300000002-00000001-8000000000000b0b/contact-2/raise/1","incident":"572d7ee300000002-00000001-8000000000000b0b","isBench":true,"contact":{"id":"contact-2","name":"Contact 2","address":"contact-2@example.org"},"kind":"raise","sequence":1,"decidedAt":{"boot":18369614221190020847,"instant":1010000000,"wall":1768452430000000},"openedAt":{"boot":18369614221190020847,"instant":1010000000,"wall":1768452430000000},"pressedAt":{"boot":18369614221190020847,"instant":1010000000,"wall":1768452430000000},"aliases":[],"delivery":"withdrawn","attempts":3,"lastError":"refused"}');
INSERT INTO "notification" VALUES('68b834a300000004-00000001-8000000000000b0b/contact-1/raise/1','68b834a300000004-00000001-8000000000000b0b','delivered','{"key":"68b834a300000004-00000001-8000000000000b0b/contact-1/raise/1","incident":"68b834a300000004-00000001-8000000000000b0b","isBench":true,"contact":{"id":"contact-1","name":"Contact 1","address":"contact-1@example.org"},"kind":"raise","sequence":1,"decidedAt":{"boot":18369614221190020847,"instant":1100000000,"wall":1768452520000000},"openedAt":{"boot":18369614221190020847,"instant":1100000000,"wall":1768452520000000},"pressedAt":{"boot":18369614221190020847,"instant":1100000000,"wall":1768452520000000},"aliases":[],"delivery":"delivered","attempts":1}');
INSERT INTO "notification" VALUES('68b834a300000004-00000001-8000000000000b0b/contact-1/update/2','68b834a300000004-00000001-8000000000000b0b','delivered','{"key":"68b834a300000004-00000001-8000000000000b0b/contact-1/update/2","incident":"68b834a300000004-00000001-8000000000000b0b","isBench":true,"contact":{"id":"contact-1","name":"Contact 1","address":"contact-1@example.org"},"kind":"update","sequence":2,"decidedAt":{"boot":18369614221190020847,"instant":1104000000,"wall":1768452524000000},"openedAt":{"boot":18369614221190020847,"instant":1100000000,"wall":1768452520000000},"pressedAt":{"boot":18369614221190020847,"instant":1104000000,"wall":1768452524000000},"aliases":[],"delivery":"delivered","attempts":1}');
INSERT INTO "notification" VALUES('68b834a300000004-00000001-8000000000000b0b/contact-2/raise/1','68b834a300000004-00000001-8000000000000b0b','due','{"key":"68b834a300000004-00000001-8000000000000b0b/contact-2/raise/1","incident":"68b834a300000004-00000001-8000000000000b0b","isBench":true,"contact":{"id":"contact-2","name":"Contact 2","address":"contact-2@example.org"},"kind":"raise","sequence":1,"decidedAt":{"boot":18369614221190020847,"instant":1100000000,"wall":1768452520000000},"openedAt":{"boot":18369614221190020847,"instant":1100000000,"wall":1768452520000000},"pressedAt":{"boot":18369614221190020847,"instant":1100000000,"wall":1768452520000000},"aliases":[],"delivery":"due","attempts":3,"nextAttempt":{"boot":18369614221190020847,"instant":1107578888,"wall":1768452527578888},"lastError":"refused"}');
INSERT INTO "notification" VALUES('68b834a300000004-00000001-8000000000000b0b/contact-2/update/2','68b834a300000004-00000001-8000000000000b0b','held','{"key":"68b834a300000004-00000001-8000000000000b0b/contact-2/update/2","incident":"68b834a300000004-00000001-8000000000000b0b","isBench":true,"contact":{"id":"contact-2","name":"Contact 2","address":"contact-2@example.org"},"kind":"update","sequence":2,"decidedAt":{"boot":18369614221190020847,"instant":1104000000,"wall":1768452524000000},"openedAt":{"boot":18369614221190020847,"instant":1100000000,"wall":1768452520000000},"pressedAt":{"boot":18369614221190020847,"instant":1104000000,"wall":1768452524000000},"aliases":[],"delivery":"held","attempts":0}');
CREATE TABLE occurrence (
  series INTEGER NOT NULL,
  key TEXT NOT NULL,
  state TEXT NOT NULL,
  due INTEGER NOT NULL,
  body TEXT NOT NULL,
  PRIMARY KEY (series, key)
) STRICT, WITHOUT ROWID;
CREATE TABLE setting (
  name TEXT PRIMARY KEY,
  value BLOB NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TABLE track (
  id INTEGER PRIMARY KEY,
  incident TEXT NOT NULL,
  wall INTEGER NOT NULL,
  latitude INTEGER NOT NULL,
  longitude INTEGER NOT NULL,
  quality INTEGER NOT NULL
) STRICT;
CREATE INDEX event_incident ON event (incident);
CREATE INDEX notification_delivery ON notification (delivery);
CREATE INDEX event_open ON event (id) WHERE meaning = 'open';
CREATE INDEX log_incident ON log (incident, device) WHERE incident IS NOT NULL;
CREATE TRIGGER log_keeps BEFORE DELETE ON log
BEGIN SELECT RAISE(ABORT, 'the log is append-only'); END;
CREATE TRIGGER log_stays BEFORE UPDATE ON log
BEGIN SELECT RAISE(ABORT, 'the log is append-only'); END;
CREATE INDEX track_incident ON track (incident);
CREATE INDEX incident_opened ON incident (opened_wall, id);
COMMIT;
