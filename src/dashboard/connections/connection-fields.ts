import type { IntegrationKindName } from '../../contract/destinations/integration-kind-names.ts'
import { tlsModes } from '../../contract/integrations/server.ts'

/** A field of a connection's form; `lines`: its text has several lines. */
export type ConnectionField = {
  name: string
  label: string
  optional?: true
  placeholder?: string
  hint?: string
} & (
  | { control?: 'text' | 'secret' | 'number' | 'lines' | 'switch' }
  | { control: 'choice'; choices: readonly string[] }
)

const keys: readonly ConnectionField[] = [
  { name: 'aws_access_key_id', label: 'Access key id', control: 'secret' },
  {
    name: 'aws_secret_access_key',
    label: 'Secret access key',
    control: 'secret',
    hint: 'Needs permission to read, write and delete where the exports write.',
  },
]

function server(port: string, host = 'db.example.com'): readonly ConnectionField[] {
  return [
    { name: 'host', label: 'Host', placeholder: host },
    { name: 'port', label: 'Port', control: 'number', optional: true, placeholder: port },
    { name: 'user', label: 'User' },
  ]
}

const password = { name: 'password', label: 'Password', control: 'secret' } as const
const tls: readonly ConnectionField[] = [
  {
    name: 'ssl_mode',
    label: 'TLS',
    control: 'choice',
    choices: tlsModes,
    hint: 'require encrypts; verify-ca and verify-full also check the server’s certificate.',
  },
  {
    name: 'ssl_root_cert',
    label: 'Root certificate',
    control: 'lines',
    optional: true,
    placeholder: '-----BEGIN CERTIFICATE-----',
    hint: 'Required by verify-ca and verify-full.',
  },
]

/** The fields of each kind besides the name, in the order of the form. */
export const connectionFields: Record<IntegrationKindName, readonly ConnectionField[]> = {
  'aws-s3': keys,
  's3-compatible': [
    { name: 'endpoint_url', label: 'Endpoint', placeholder: 'https://s3.example.com' },
    ...keys,
  ],
  'azure-blob': [
    {
      name: 'connection_string',
      label: 'Connection string',
      control: 'secret',
      placeholder: 'AccountName=…;AccountKey=…',
      hint: 'Azure’s portal shows it under “Access keys” of the storage account.',
    },
  ],
  postgresql: [...server('5432'), password, ...tls],
  clickhouse: [
    ...server('8443'),
    password,
    {
      name: 'verify',
      label: 'Check the certificate',
      control: 'switch',
      hint: 'Turn off only for a self-signed one.',
    },
  ],
  mysql: [...server('3306'), password, ...tls],
  sftp: [
    ...server('22', 'sftp.example.com'),
    {
      name: 'host_key_fingerprint',
      label: 'Host key fingerprint',
      placeholder: 'SHA256:…',
      hint: 'From the server itself: ssh-keygen -lf /etc/ssh/ssh_host_ed25519_key.pub',
    },
    { ...password, optional: true, hint: 'A password, or a private key.' },
    {
      name: 'private_key',
      label: 'Private key',
      control: 'lines',
      optional: true,
      placeholder: '-----BEGIN OPENSSH PRIVATE KEY-----',
    },
    { name: 'private_key_passphrase', label: 'Passphrase of the key', control: 'secret', optional: true },
  ],
}

/** Values that a new connection's form has. */
export const initialValues: Readonly<Record<string, string | boolean>> = { ssl_mode: 'require', verify: true }
