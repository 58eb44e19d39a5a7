import { createFileRoute } from '@tanstack/react-router'
import { z } from 'zod'
import { SharedRecordingPage } from '../recordings/sharing/shared-recording-page.tsx'

export const Route = createFileRoute('/shared/$token')({
  /** Seconds since the recording's start. */
  validateSearch: z.object({
    t: z.number().nonnegative().optional().catch(undefined),
    reel: z.number().nonnegative().optional().catch(undefined),
  }),
  component: SharedPage,
})

function SharedPage() {
  const { token } = Route.useParams()
  const { t, reel } = Route.useSearch()
  return <SharedRecordingPage key={token} token={token} at={t} reel={reel} isEmbedded={false} />
}
