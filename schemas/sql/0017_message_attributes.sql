-- Attributes of messages: a JSON object that whoever hands a message over keeps with it; NULL where there is none.
-- compat: 10
-- A program that knows only schema 16 hears messages without; what it deletes loses them here too, by the trigger.
ALTER TABLE message ADD COLUMN attributes TEXT;
CREATE INDEX message_attributes ON message (id) WHERE attributes IS NOT NULL;
CREATE TRIGGER message_attributes_gone AFTER UPDATE OF deleted ON message
WHEN NEW.deleted <> 0 AND NEW.attributes IS NOT NULL BEGIN
  UPDATE message SET attributes = NULL WHERE id = NEW.id;
END;
