ALTER TABLE recording_settings ADD COLUMN page_state boolean NOT NULL DEFAULT true;
COMMENT ON COLUMN recording_settings.page_state IS 'whether the recorder reports the color scheme and contrast, the top layer and the target';
