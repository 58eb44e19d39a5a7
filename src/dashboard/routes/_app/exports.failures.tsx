import { createFileRoute, redirect } from '@tanstack/react-router'

// The page's earlier address.
export const Route = createFileRoute('/_app/exports/failures')({
  beforeLoad() {
    throw redirect({ to: '/problems', replace: true })
  },
})
