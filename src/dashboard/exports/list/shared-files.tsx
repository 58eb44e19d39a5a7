import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { FileFacts } from '../../../contract/exports/batch-export.ts'
import { useAccount } from '../../account.ts'
import { projectParameter } from './project-parameter.ts'

type Others = NonNullable<FileFacts['shares_files_with']>

/** Warns that other exports write the same files; without any, shows the children instead. */
export function SharedFiles({ others, children }: { others: Others | undefined; children?: ReactNode }) {
  if (!others) return children
  return (
    <span className="text-fail-ink">
      writes the same files as <SharingExports others={others} />
    </span>
  )
}

/** Links the first of the exports that write the same files, if the key can read it, and counts the rest. */
export function SharingExports({ others }: { others: Others }) {
  const { projects } = useAccount()
  const [first, ...rest] = others
  if (!first) return null
  const { id, name, team_id } = first
  return (
    <>
      {id === null || team_id === null ? (
        'an export that this key cannot read'
      ) : (
        <Link
          to="/exports/$id"
          params={{ id }}
          search={{ project: projectParameter({ team_id }, projects) }}
          className="underline underline-offset-2"
        >
          {name}
        </Link>
      )}
      {rest.length > 0 && ` and ${rest.length} more`}
    </>
  )
}
