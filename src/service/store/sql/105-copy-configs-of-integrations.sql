-- The config of a connection is copied to the exports that use it: it is part of where they write.

ALTER TABLE batch_exports ADD COLUMN integration_config jsonb;
COMMENT ON COLUMN batch_exports.integration_config IS 'name and config of the connection, without secrets; kept by triggers, null without a connection';

CREATE FUNCTION copy_integration_config() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
  -- The lock makes an export that begins to use a connection wait for the end of a rotation.
  NEW.integration_config = (SELECT config || jsonb_build_object('name', name) FROM integrations
    WHERE id = NEW.integration_id FOR SHARE);
  RETURN NEW;
END $$;
-- Triggers, so that no statement can leave an export with the config of another connection or of an earlier time.
CREATE TRIGGER copy_integration_config BEFORE INSERT OR UPDATE OF integration_id ON batch_exports
  FOR EACH ROW WHEN (NEW.integration_id IS NOT NULL) EXECUTE FUNCTION copy_integration_config();

CREATE FUNCTION clear_integration_config() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
  NEW.integration_config = NULL;
  RETURN NEW;
END $$;
CREATE TRIGGER clear_integration_config BEFORE UPDATE OF integration_id ON batch_exports
  FOR EACH ROW WHEN (NEW.integration_id IS NULL AND NEW.deleted_at IS NULL) EXECUTE FUNCTION clear_integration_config();

CREATE FUNCTION spread_integration_config() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
  UPDATE batch_exports SET integration_config = NEW.config || jsonb_build_object('name', NEW.name)
    WHERE integration_id = NEW.id;
  RETURN NULL;
END $$;
CREATE TRIGGER spread_integration_config AFTER UPDATE OF config, name ON integrations
  FOR EACH ROW EXECUTE FUNCTION spread_integration_config();
