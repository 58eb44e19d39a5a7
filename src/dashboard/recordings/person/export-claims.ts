import type { Model } from '../../../contract/exports/batch-export.ts'
import type { PersonExport, PersonExports } from '../../../contract/recordings/person.ts'
import { count, counted } from '../../format/amount.ts'

/** What an export of each model contains of a person. */
export const contents: Record<Model, string> = {
  events: 'events',
  persons: 'the profile',
  recordings: 'recordings',
}

/** Says what exports contain of a person: `3 exports contain events of this person in 14 completed windows.` */
export function claimsOf(exports: readonly PersonExport[]): string[] {
  return [...Map.groupBy(exports, ({ model }) => model)].map(([model, alike]) => {
    const windows = alike.reduce((sum, each) => sum + each.windows, 0)
    const contain = `${counted(alike.length, 'export')} ${alike.length === 1 ? 'contains' : 'contain'}`
    return `${contain} ${contents[model]} of this person in ${counted(windows, 'completed window')}.`
  })
}

/** Says which exports were compared with the person's rows, and how. */
export function comparedInWords({ checked, total }: Pick<PersonExports, 'checked' | 'total'>): string {
  if (total === 0) return 'This project has no exports.'
  const which =
    checked === total ? `all ${counted(total, 'export')}` : `${count(checked)} of ${counted(total, 'export')}`
  return `Derived from the completed runs of ${total === 1 && checked === 1 ? 'the only export' : which}, by this person’s distinct ids and each export’s current events and query. Files at the destination may have been changed or deleted since.`
}
