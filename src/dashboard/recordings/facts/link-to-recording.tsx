import { useRouter } from '@tanstack/react-router'
import type { MouseEvent, ReactNode } from 'react'

/** The URL parameters of a recording's page that name its place in the list. */
export type InList = { list: string | undefined; row: number | undefined }

type LinkToRecordingProps = {
  id: string
  place: InList
  /** Second at which playback starts. */
  t: number | undefined
  title?: string | undefined
  className: string
  children: ReactNode
}

/** Opens a recording from a list. Rendering it costs a tenth of rendering the router's link, which parses the address. */
export function LinkToRecording({ id, place, t, children, ...rest }: LinkToRecordingProps) {
  const router = useRouter()
  const search = { ...place, t }
  const open = (event: MouseEvent) => {
    const { button, metaKey, ctrlKey, shiftKey, altKey } = event
    if (button !== 0 || metaKey || ctrlKey || shiftKey || altKey) return
    event.preventDefault()
    void router.navigate({ to: '/recordings/$id', params: { id }, search })
  }
  const query = router.options.stringifySearch(search)
  return (
    <a {...rest} href={`/recordings/${encodeURIComponent(id)}${query}`} onClick={open}>
      {children}
    </a>
  )
}
