import { createFileRoute } from '@tanstack/react-router'
export const Route = createFileRoute('/_app/exports/')({ component: Page })
function Page() {
  return <main>Exports</main>
}
