import type { PersonalApiKey, User } from '../../contract/accounts/api-key.ts'
import { GrantedScope } from '../../contract/accounts/scope-schema.ts'
import { scopeInWords } from '../format/scope.ts'

/** A key's organization, projects and scopes. */
export function KeyAbilities({ apiKey, user }: { apiKey: PersonalApiKey; user: User }) {
  const { scoped_teams: limit, scopes } = apiKey
  const projects = user.organization.teams.filter(({ id }) => limit?.includes(id) ?? true)
  return (
    <section aria-label="Permissions of this key" className="rounded-md border border-line px-3 py-2">
      <p className="font-medium">{apiKey.label}</p>
      <p className="text-ink-2">
        {user.organization.name}: {projects.map(({ name }) => name).join(', ') || 'no project'}
      </p>
      <ul className="mt-1 text-ink-2">
        {scopes.map((scope) => (
          <li key={scope}>
            <code>{scope}</code> <ScopeMeaning scope={scope} />
          </li>
        ))}
        {scopes.length === 0 && <li>This key has no scopes: it cannot do anything.</li>}
      </ul>
    </section>
  )
}

function ScopeMeaning({ scope }: { scope: string }) {
  const known = GrantedScope.safeParse(scope)
  return known.success ? <span className="text-ink-3">{scopeInWords(known.data)}</span> : null
}
