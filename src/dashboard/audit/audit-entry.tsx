import { Link } from '@tanstack/react-router'
import type { AuditEntry } from '../../contract/audit/audit-entry.ts'
import { settingLabel } from '../../contract/exports/setting-label.ts'
import { useAccount } from '../account.ts'
import { auditSentence, auditValue } from './audit-words.ts'
import { Icon } from '../ui/icon.tsx'
import { RelativeTime, ShortTime } from '../ui/time.tsx'
import { Who } from '../ui/who.tsx'

type Only = { actor?: string | undefined; object?: string | undefined }
type AuditEntryProps = {
  entry: AuditEntry
  /** Shows only the entries of an actor or an object. */
  onOnly: (only: Only) => void
}

/** An entry of the audit log in one line; opened, with the values before and after. */
export function AuditEntryRow({ entry, onOnly }: AuditEntryProps) {
  const { created_at, actor, address } = entry
  const { before, name, after } = auditSentence(entry)
  return (
    <li className="border-b border-line">
      <details className="group">
        <summary className="flex cursor-pointer items-baseline gap-x-2 rounded-sm px-1 py-2 hover:bg-hover">
          <span className="translate-y-0.5 text-ink-3 group-open:rotate-90">
            <Icon name="right" size={14} />
          </span>
          <span className="flex min-w-0 flex-1 flex-wrap items-baseline gap-x-3 sm:flex-nowrap">
            <span className="min-w-0 flex-1 basis-60 wrap-anywhere">
              <span className="mr-1 font-medium">
                <Who name={actor.name} kind={actor.kind} />
              </span>
              {before}
              {name !== null && <span className="font-medium">{name}</span>}
              {after}
            </span>
            <span className="mono shrink-0 text-ink-3 max-md:hidden">{address}</span>
            <span className="w-32 shrink-0 text-ink-3 sm:text-right">
              <RelativeTime time={created_at} />
            </span>
          </span>
        </summary>
        <Details entry={entry} onOnly={onOnly} />
      </details>
    </li>
  )
}

function Details({ entry, onOnly }: AuditEntryProps) {
  const { projects } = useAccount()
  const { actor, address, object, action, project, request_id, seal, created_at } = entry
  const projectName = projects.find(({ id }) => id === project)?.name ?? (project && `project ${project}`)
  return (
    <div className="mt-1 mb-3 ml-6.5 flex flex-col gap-2.5">
      <Changes entry={entry} />
      <dl className="grid grid-cols-[6rem_minmax(0,1fr)] gap-x-4 gap-y-1 text-ink-2 [&_dt]:text-ink-3">
        <dt>When</dt>
        <dd>
          <ShortTime time={created_at} />
        </dd>
        <dt>Who</dt>
        <dd className="wrap-anywhere">
          {`${actorKinds[actor.kind]} ${actor.name}`.trim()}{' '}
          <OnlyButton
            label={`Only entries of ${actor.name}`}
            onClick={() => onOnly({ actor: actor.id ?? actor.name })}
          />
        </dd>
        {address !== null && (
          <>
            <dt>From</dt>
            <dd className="mono">{address}</dd>
          </>
        )}
        {object.id !== null && (
          <>
            <dt>Object</dt>
            <dd className="wrap-anywhere">
              <ObjectName of={object} />{' '}
              <OnlyButton
                label="Only entries of this object"
                onClick={() => onOnly({ object: object.id ?? undefined })}
              />
            </dd>
          </>
        )}
        {projectName !== null && (
          <>
            <dt>Project</dt>
            <dd className="wrap-anywhere">{projectName}</dd>
          </>
        )}
        <dt>Action</dt>
        <dd className="mono">{action}</dd>
        {request_id !== null && (
          <>
            <dt>Request</dt>
            <dd className="mono wrap-anywhere">{request_id}</dd>
          </>
        )}
        <dt>Seal</dt>
        <dd>{seal === null ? 'follows in seconds' : `no. ${seal}`}</dd>
      </dl>
    </div>
  )
}

const actorKinds = { person: '', key: 'API key', link: 'Link', system: '' } as const

function OnlyButton({ label, onClick }: { label: string; onClick: () => void }) {
  return (
    <button
      type="button"
      aria-label={label}
      className="rounded-sm underline underline-offset-2 hover:text-ink"
      onClick={onClick}
    >
      Show only these
    </button>
  )
}

/** The name of an object; of a kind that has a page, as a link to it. */
function ObjectName({ of: { type, id, name } }: { of: AuditEntry['object'] }) {
  const text = name ?? id
  if (id === null || (type !== 'export' && type !== 'recording')) return text
  return (
    <Link
      to={type === 'export' ? '/exports/$id' : '/recordings/$id'}
      params={{ id }}
      className="underline underline-offset-2"
    >
      {text}
    </Link>
  )
}

/** The values of the fields that changed. */
function Changes({ entry: { before, after } }: { entry: AuditEntry }) {
  const fields = [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])]
  if (fields.length === 0) return null
  return (
    <dl
      aria-label="Changes"
      className="grid grid-cols-[7rem_minmax(0,1fr)] items-baseline gap-x-4 gap-y-1 border-l-2 border-line pl-3 sm:grid-cols-[11rem_minmax(0,1fr)]"
    >
      {fields.map((field) => (
        <div key={field} className="contents">
          <dt className="text-ink-3 wrap-anywhere">{labelOf(field)}</dt>
          <dd className="min-w-0 whitespace-pre-wrap wrap-anywhere">
            {before && (
              <>
                <del className="text-ink-2">
                  <span className="sr-only">Before: </span>
                  {auditValue(before[field])}
                </del>
                <span aria-hidden="true" className="px-1.5 text-ink-3">
                  →
                </span>
              </>
            )}
            <ins className="no-underline">
              {before && <span className="sr-only"> After: </span>}
              {auditValue(after?.[field])}
            </ins>
          </dd>
        </div>
      ))}
    </dl>
  )
}

/** Returns the form's label of a setting of an export, else the field's name in words. */
function labelOf(field: string): string {
  const label = settingLabel(field)
  if (label !== field) return label
  const words = field.replaceAll(/[._]/g, ' ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}
