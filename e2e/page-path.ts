import type { PagePath, Sample } from '../src/dashboard/shell/pages.ts'

/** The id of each sample object; for the link, its token. */
export type SampleIds = Record<Sample, string>

/** Returns the path of a page in the registry, with its sample's id in place of the route's parameter. */
export function pagePath({ to, sample }: { to: PagePath; sample?: Sample }, ids: Partial<SampleIds>): string {
  if (!sample) return to
  const id = ids[sample]
  if (id === undefined) throw new Error(`${to} needs the id of a ${sample}`)
  return to.replace(/\$\w+/, id)
}
