CREATE TABLE organizations (
  id uuid PRIMARY KEY, name text NOT NULL, created_at timestamptz NOT NULL
);

CREATE TABLE users (
  id uuid PRIMARY KEY, organization_id uuid NOT NULL REFERENCES organizations,
  email text NOT NULL, first_name text NOT NULL, created_at timestamptz NOT NULL
);

CREATE TABLE projects (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY, organization_id uuid NOT NULL REFERENCES organizations,
  name text NOT NULL, api_token text NOT NULL UNIQUE, created_at timestamptz NOT NULL
);
CREATE INDEX ON projects (organization_id, id);

CREATE TABLE api_keys (
  id uuid PRIMARY KEY, user_id uuid NOT NULL REFERENCES users, hash bytea NOT NULL UNIQUE, label text NOT NULL,
  scopes text[] NOT NULL, scoped_projects integer[], scoped_organizations uuid[],
  created_at timestamptz NOT NULL, last_used_at timestamptz
);
CREATE INDEX ON api_keys (user_id, created_at);
