-- A recording is called a recording: its facts, and the summaries of several recordings, were named after visits.

ALTER TABLE recording_visits RENAME TO recording_facts;
ALTER TABLE visit_summaries RENAME TO group_summaries;
ALTER TABLE visit_summary_items RENAME TO group_summary_items;
ALTER TABLE session_recordings RENAME COLUMN visit_words TO visitor_words;
ALTER TABLE session_recordings RENAME COLUMN visit_made_at TO facts_made_at;
ALTER INDEX session_recordings_by_visit_words RENAME TO session_recordings_by_visitor_words;
ALTER INDEX session_recordings_without_visit RENAME TO session_recordings_without_facts;
ALTER INDEX recording_visits_by_outcome RENAME TO recording_facts_by_outcome;
ALTER INDEX recording_visits_by_browser RENAME TO recording_facts_by_browser;
ALTER INDEX recording_visits_by_device RENAME TO recording_facts_by_device;
ALTER INDEX recording_visits_by_country RENAME TO recording_facts_by_country;
ALTER INDEX recording_visits_by_rage_clicks RENAME TO recording_facts_by_rage_clicks;
ALTER INDEX recording_visits_with_left_form RENAME TO recording_facts_with_left_form;
ALTER INDEX visit_summaries_in_progress RENAME TO group_summaries_in_progress;
ALTER INDEX visit_summary_items_recording_id_idx RENAME TO group_summary_items_recording_id_idx;

-- PostgreSQL chose the names of the constraints; since version 18, they include one for each NOT NULL.
DO $$
DECLARE found record;
BEGIN
  FOR found IN
    SELECT conrelid::regclass AS of, conname AS old,
      regexp_replace(regexp_replace(conname, '^recording_visits', 'recording_facts'), '^visit_summar', 'group_summar') AS new
    FROM pg_constraint
    WHERE conrelid IN ('recording_facts'::regclass, 'group_summaries'::regclass, 'group_summary_items'::regclass)
      AND conname ~ '^(recording_visits|visit_summar)'
  LOOP
    EXECUTE format('ALTER TABLE %s RENAME CONSTRAINT %I TO %I', found.of, found.old, found.new);
  END LOOP;
END $$;

COMMENT ON COLUMN session_recordings.facts_made_at IS 'last_updated_at of the data that recording_facts describes';
COMMENT ON TABLE group_summaries IS 'summaries of several recordings, written in the background';

-- Each line of a summary counts recordings.
UPDATE group_summaries SET result = jsonb_set(result, '{sections}', (
  SELECT coalesce(jsonb_agg(jsonb_set(section, '{lines}', (
      SELECT coalesce(jsonb_agg(line - 'visits' || jsonb_build_object('recordings', line -> 'visits') ORDER BY nth), '[]')
      FROM jsonb_array_elements(section -> 'lines') WITH ORDINALITY AS of_section (line, nth))) ORDER BY place), '[]')
  FROM jsonb_array_elements(result -> 'sections') WITH ORDINALITY AS of_result (section, place)))
WHERE result IS NOT NULL;
