import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { allowsScope } from '../../contract/accounts/scopes.ts'
import { namedText } from '../../contract/recordings/mention-text.ts'
import { useAccount } from '../account.ts'
import { count } from '../format/amount.ts'
import { clockTime } from '../format/clock.ts'
import { live } from '../queries/live.ts'
import { mentionsQuery } from '../queries/recordings/note-mentions.ts'
import { Section } from '../ui/section.tsx'
import { RelativeTime } from '../ui/time.tsx'

/** Shows the unread notes that mention the user, if there are any. Opening a recording marks its notes as read. */
export function Mentions() {
  const { projectId, scopes } = useAccount()
  const { data } = useQuery({
    ...mentionsQuery(projectId),
    ...live(() => 'settled'),
    enabled: allowsScope(scopes, 'session_recording:read'),
  })
  if (!data || data.count === 0) return null
  const { results } = data
  const more = data.count - results.length
  return (
    <Section
      title="Mentions"
      aside={more > 0 ? `the newest ${count(results.length)} of ${count(data.count)}` : undefined}
      className="mt-5"
    >
      <ul>
        {results.map(({ note_id, session_recording_id, visitor, at, text, mentions, author, created_at }) => (
          <li key={note_id} className="flex min-h-11 items-center gap-3 border-b border-line py-1">
            <span className="min-w-0 flex-1">
              <Link
                to="/recordings/$id"
                params={{ id: session_recording_id }}
                search={{ t: Math.floor(at), tab: 'notes' }}
                className="line-clamp-2 font-medium wrap-anywhere hover:underline"
              >
                {namedText(text, mentions)}
              </Link>
              <span className="block text-xs wrap-anywhere text-ink-3">
                {author.name} <RelativeTime time={created_at} /> · {visitor} at {clockTime(at * 1000)}
              </span>
            </span>
          </li>
        ))}
      </ul>
    </Section>
  )
}
