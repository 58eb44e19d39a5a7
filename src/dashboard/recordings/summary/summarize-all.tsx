import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useAccount } from '../../account.ts'
import type { RecordingFilter } from '../../queries/recordings/recordings-search.ts'
import { Button } from '../../ui/controls/button.tsx'
import { KeyHint } from '../../ui/key-hint.tsx'
import { useKeys } from '../../ui/use-keys.ts'
import { summarizeMany } from './summarize-many.ts'

/** Starts one summary of all recordings that match the list's filter. */
export function SummarizeAll({ filter }: { filter: RecordingFilter }) {
  const { projectId } = useAccount()
  const client = useQueryClient()
  const navigate = useNavigate()
  const [busy, setBusy] = useState(false)
  const start = async () => {
    setBusy(true)
    await summarizeMany({ client, projectId, filter, navigate }, 'all')
    setBusy(false)
  }
  useKeys({ M: { does: 'Summarize all that match the filter', run: () => void start() } })
  return (
    <Button busy={busy} onClick={() => void start()}>
      Summarize all <KeyHint of="M" />
    </Button>
  )
}
