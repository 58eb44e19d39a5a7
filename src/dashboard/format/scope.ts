import type { GrantedScope } from '../../contract/accounts/scope-schema.ts'

/** Says what a scope allows its key to do. */
export function scopeInWords(scope: GrantedScope): string {
  switch (scope) {
    case '*':
      return 'do everything'
    case 'batch_export:read':
      return 'see batch exports, their runs and logs'
    case 'batch_export:write':
      return 'create, change, pause, backfill, retry and delete batch exports'
    case 'session_recording:read':
      return 'watch recordings'
    case 'session_recording:write':
      return 'keep and delete recordings, and change what is recorded'
    case 'sharing_configuration:read':
      return 'see how recordings are shared'
    case 'sharing_configuration:write':
      return 'share recordings'
    case 'personal_api_key:read':
      return 'see API keys'
    case 'personal_api_key:write':
      return 'create and revoke API keys'
  }
}
