import { createFileRoute } from '@tanstack/react-router'

export const Route = createFileRoute('/_app/exports/')({
  component: RouteComponent,
})

function RouteComponent() {
  return <div>Hello "/_app/exports/"!</div>
}
