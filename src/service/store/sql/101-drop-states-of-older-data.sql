-- States that only data from before the base schema could have.

DROP TABLE batch_export_shared_files;
ALTER TABLE batch_exports DROP COLUMN in_project_folder;

ALTER TABLE bulk_actions ALTER COLUMN user_id SET NOT NULL;
COMMENT ON COLUMN bulk_actions.user_id IS 'who started the action';

ALTER TABLE session_recordings ALTER COLUMN asset_block_count SET NOT NULL;
COMMENT ON COLUMN session_recordings.asset_block_count IS 'how many blocks have been searched for assets';

ALTER TABLE session_recording_blocks ALTER COLUMN full_snapshots SET NOT NULL, ALTER COLUMN active_windows SET NOT NULL;
COMMENT ON COLUMN session_recording_blocks.full_snapshots IS 'a list of [window, time in milliseconds]';
COMMENT ON COLUMN session_recording_blocks.active_windows IS 'windows that the visitor used, as [window, time of the last action]';
