import { useRouter } from '@tanstack/react-router'

/** The list that somebody came from, as it was filtered. `list` is its address after the question mark. */
export function useWayBack(list: string | undefined): { href: string; go: () => void } {
  const { history } = useRouter()
  const href = list ? `/recordings?${list}` : '/recordings'
  return { href, go: () => history.push(href) }
}

export function BackToList({ list }: { list: string | undefined }) {
  const { href, go } = useWayBack(list)
  return (
    <a
      href={href}
      className="hover:text-ink"
      onClick={(event) => {
        if (event.ctrlKey || event.metaKey || event.shiftKey) return
        event.preventDefault()
        go()
      }}
    >
      Recordings
    </a>
  )
}
