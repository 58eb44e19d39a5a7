import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { incidentsSince, refreshIncidents } from '../queries/alerts.ts'
import { overviewQuery } from '../queries/exports/overview.ts'
import { toast } from '../ui/feedback/toasts.ts'
import { browserChannel } from './browser-channel.ts'
import { newsIn, newsInWords } from './news.ts'

/** Time (ms) between two requests of a browser whose tabs are all hidden. */
const hiddenPollMs = 60_000

type IncidentNewsProps = {
  projectId: string
  /** The newest change that was known when the page was loaded; null if there was no incident. */
  since: string | null
  /** The newest change. */
  changedAt: string | null
}

/** Shows a message when an incident opens or recovers, and notifications if this browser is a channel. */
export function IncidentNews({ projectId, since, changedAt }: IncidentNewsProps) {
  const client = useQueryClient()
  const known = useRef(since)
  useEffect(() => {
    const from = known.current
    if (changedAt === from) return
    known.current = changedAt
    void refreshIncidents(client)
    const announce = async () => {
      const { results } = await incidentsSince(projectId, from)
      const news = newsIn(results, from)
      const text = newsInWords(news)
      if (text !== null) toast(text)
      await browserChannel.notify(projectId, news)
    }
    announce().catch(() => {
      // Asks again when the next overview arrives; the list shows a failure itself.
      known.current = from
    })
  }, [client, projectId, changedAt])
  useEffect(() => {
    const timer = setInterval(() => void pollWhileHidden(), hiddenPollMs)
    const pollWhileHidden = async () => {
      if (document.visibilityState !== 'hidden' || !browserChannel.isOn(projectId)) return
      const { queryKey } = overviewQuery({ projectId })
      // One tab after the other: the response of the first serves all.
      await navigator.locks.request('spool.hidden-poll', async () => {
        const updatedAt = client.getQueryState(queryKey)?.dataUpdatedAt ?? 0
        if (Date.now() - updatedAt > hiddenPollMs / 2) await client.refetchQueries({ queryKey, exact: true })
      })
    }
    return () => clearInterval(timer)
  }, [client, projectId])
  return null
}
