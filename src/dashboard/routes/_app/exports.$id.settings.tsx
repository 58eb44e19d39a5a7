import { createFileRoute } from '@tanstack/react-router'

export const Route = createFileRoute('/_app/exports/$id/settings')({
  component: RouteComponent,
})

function RouteComponent() {
  return <div>Hello "/_app/exports/$id/settings"!</div>
}
