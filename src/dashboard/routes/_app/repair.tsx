import { createFileRoute, redirect } from '@tanstack/react-router'
import { PlanPage } from '../../exports/repair/plan-page.tsx'
import { givenText, index, searchParams } from '../../format/search-params.ts'

export const Route = createFileRoute('/_app/repair')({
  // `offset`: newer steps on the pages before; `export`: the export to repair.
  validateSearch: searchParams({ plan: givenText, offset: index, export: givenText }),
  beforeLoad({ search }) {
    if (search.plan === undefined)
      throw redirect({ to: '/problems', search: { export: search.export }, replace: true })
  },
  component: RepairPage,
})

function RepairPage() {
  const { plan } = Route.useSearch()
  return plan === undefined ? null : <PlanPage id={plan} />
}
