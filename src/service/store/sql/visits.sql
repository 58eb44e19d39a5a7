-- What the service reads from recordings: facts, summaries, and the states of their errors.

CREATE TABLE recording_visits (
  recording_id bigint PRIMARY KEY REFERENCES session_recordings ON DELETE CASCADE, project_id integer NOT NULL,
  start_time timestamptz NOT NULL, facts jsonb, claimed_until timestamptz, failures smallint NOT NULL DEFAULT 0,
  outcome text GENERATED ALWAYS AS (facts -> 'outcome' ->> 'kind') STORED,
  browser text GENERATED ALWAYS AS (facts ->> 'browser') STORED,
  device text GENERATED ALWAYS AS (facts ->> 'device') STORED,
  country text GENERATED ALWAYS AS (facts ->> 'country') STORED,
  rage_click_count integer GENERATED ALWAYS AS ((facts ->> 'rage_click_count')::integer) STORED,
  left_form boolean GENERATED ALWAYS AS ((facts ->> 'left_form')::boolean) STORED
);
COMMENT ON TABLE recording_visits IS 'what the list shows of a recording and filters by, read from its blocks after capture';
COMMENT ON COLUMN recording_visits.claimed_until IS 'until when one process reads the recording, or when a recording that could not be read is tried again';
CREATE INDEX recording_visits_by_outcome ON recording_visits (project_id, outcome, start_time, recording_id);
CREATE INDEX recording_visits_by_browser ON recording_visits (project_id, browser, start_time, recording_id);
CREATE INDEX recording_visits_by_device ON recording_visits (project_id, device, start_time, recording_id);
CREATE INDEX recording_visits_by_country ON recording_visits (project_id, country, start_time, recording_id);
-- The count itself is in the index, so that the rows need not be read.
CREATE INDEX recording_visits_by_rage_clicks ON recording_visits (project_id, start_time, recording_id)
  INCLUDE (rage_click_count) WHERE rage_click_count > 0;
CREATE INDEX recording_visits_with_left_form ON recording_visits (project_id, start_time, recording_id) WHERE left_form;

CREATE TABLE session_recording_summaries (
  recording_id bigint PRIMARY KEY REFERENCES session_recordings ON DELETE CASCADE, block_count integer NOT NULL,
  content text NOT NULL, summary jsonb NOT NULL
);
COMMENT ON COLUMN session_recording_summaries.block_count IS 'how many blocks the recording had: one with more is summarized again';

CREATE TABLE visit_summaries (
  id uuid PRIMARY KEY, project_id integer NOT NULL REFERENCES projects, actor text NOT NULL, status text NOT NULL,
  matched integer NOT NULL, total integer NOT NULL, done integer NOT NULL DEFAULT 0, result jsonb,
  created_at timestamptz NOT NULL, finished_at timestamptz, claimed_until timestamptz
);
COMMENT ON TABLE visit_summaries IS 'summaries of several visits, written in the background';
COMMENT ON COLUMN visit_summaries.actor IS 'label of the key that requested the summary';
COMMENT ON COLUMN visit_summaries.claimed_until IS 'until when one process works on the summary';
CREATE INDEX visit_summaries_in_progress ON visit_summaries (created_at) WHERE status = 'Running';

CREATE TABLE visit_summary_items (
  summary_id uuid NOT NULL REFERENCES visit_summaries ON DELETE CASCADE,
  recording_id bigint NOT NULL REFERENCES session_recordings ON DELETE CASCADE, done boolean NOT NULL DEFAULT false,
  PRIMARY KEY (summary_id, recording_id)
);
CREATE INDEX ON visit_summary_items (recording_id);

CREATE TABLE error_states (
  project_id integer NOT NULL REFERENCES projects, cluster integer NOT NULL, pattern text NOT NULL,
  state text NOT NULL, actor text NOT NULL, changed_at timestamptz NOT NULL,
  PRIMARY KEY (project_id, cluster)
);
COMMENT ON TABLE error_states IS 'kinds of errors whose state someone has changed; a resolved one is open again if it occurred after changed_at';
COMMENT ON COLUMN error_states.actor IS 'label of the key that changed the state';
