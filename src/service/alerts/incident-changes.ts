import type { AlertKind } from '../../contract/alerts/alert-rule.ts'

/**
 * A problem that a rule finds now in an export or a project. Findings with one cause at one destination are one incident.
 */
export type Finding = {
  projectId: number
  kind: AlertKind
  cause: string
  /** Empty if the cause lies at no destination. */
  destination: string
  /** Null for a kind that watches projects. */
  exportId: string | null
  detail: string
  /** Whether it opens an incident; otherwise it only keeps one open. */
  opens: boolean
}

/** Returns a finding about a project, at no destination. */
export function projectFinding(
  projectId: number,
  kind: AlertKind,
  found: Pick<Finding, 'detail' | 'opens'> & Partial<Finding>,
): Finding {
  return { projectId, kind, cause: kind, destination: '', exportId: null, ...found }
}

/** An open incident with the exports that it affects now. */
export type OpenIncident = Pick<Finding, 'projectId' | 'kind' | 'cause' | 'destination' | 'detail'> & {
  id: string
  exports: readonly string[]
}

/** Findings that are one incident: those with one cause at one destination. */
export type FoundIncident = Omit<OpenIncident, 'id'> & { id: string | null }

export type IncidentChanges = {
  opened: FoundIncident[]
  /** Open incidents that affect other exports than before. */
  changed: (FoundIncident & { id: string; joined: string[]; left: string[] })[]
  /** All incidents that stay open, each with what is wrong now. */
  kept: Pick<OpenIncident, 'id' | 'detail'>[]
  recovered: OpenIncident[]
}

/** Compares what was found with the open incidents of the kinds that were evaluated. */
export function compareIncidents(
  findings: readonly Finding[],
  open: readonly OpenIncident[],
): IncidentChanges {
  const known = new Map(open.map((incident) => [keyOf(incident), incident]))
  const isMember = (finding: Finding) => {
    const incident = known.get(keyOf(finding))
    return incident && (finding.exportId === null || incident.exports.includes(finding.exportId))
  }
  const valid = findings.filter((finding) => finding.opens || isMember(finding))
  const found = [...Map.groupBy(valid, keyOf)].map(([key, group]) => toIncident(key, group))
  const foundKeys = new Set(found.map(keyOf))
  const staying = found.flatMap((one) => (one.id === null ? [] : [{ ...one, id: one.id }]))

  function toIncident(key: string, group: readonly Finding[]): FoundIncident {
    // A finding that opens an incident says what is wrong now.
    const newest = group.find(({ opens }) => opens) ?? group[0]
    if (!newest) throw new Error('a group has a finding')
    const { projectId, kind, cause, destination } = newest
    const { detail } = newest.opens ? newest : (known.get(key) ?? newest)
    const exports = [...new Set(group.flatMap(({ exportId }) => exportId ?? []))]
    return { id: known.get(key)?.id ?? null, projectId, kind, cause, destination, detail, exports }
  }

  return {
    opened: found.filter(({ id }) => id === null),
    changed: staying.flatMap((one) => {
      const before = known.get(keyOf(one))?.exports ?? []
      const joined = one.exports.filter((id) => !before.includes(id))
      const left = before.filter((id) => !one.exports.includes(id))
      return joined.length + left.length > 0 ? [{ ...one, joined, left }] : []
    }),
    kept: staying.map(({ id, detail }) => ({ id, detail })),
    recovered: open.filter((incident) => !foundKeys.has(keyOf(incident))),
  }
}

type KeyParts = Pick<Finding, 'projectId' | 'kind' | 'destination' | 'cause'>

function keyOf({ projectId, kind, destination, cause }: KeyParts): string {
  return JSON.stringify([projectId, kind, destination, cause])
}
