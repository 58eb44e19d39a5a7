import { createFileRoute } from '@tanstack/react-router'
import { z } from 'zod'
import { SharedRecordingPage } from '../recordings/sharing/shared-recording-page.tsx'

export const Route = createFileRoute('/embedded/$token')({
  /** Seconds since the recording's start. */
  validateSearch: z.object({ t: z.number().nonnegative().optional().catch(undefined) }),
  component: EmbeddedPage,
})

function EmbeddedPage() {
  const { token } = Route.useParams()
  const { t } = Route.useSearch()
  return <SharedRecordingPage key={token} token={token} at={t} isEmbedded={true} />
}
