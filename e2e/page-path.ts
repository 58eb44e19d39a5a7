import type { RoutePath, Sample } from '../src/dashboard/shell/pages.ts'

/** The id of each sample object; a link has its token. */
export type SampleIds = Record<Sample, string>

/** The path of a page of the registry: its sample's id in place of the route's parameter. */
export function pagePath(
  { to, sample }: { to: RoutePath; sample?: Sample },
  ids: Partial<SampleIds>,
): string {
  if (!sample) return to
  const id = ids[sample]
  if (id === undefined) throw new Error(`There is no ${sample} for ${to}`)
  return to.replace(/\$\w+/, id)
}
