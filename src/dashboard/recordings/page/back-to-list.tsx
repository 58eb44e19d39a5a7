import { useRouter } from '@tanstack/react-router'

/** A link back to the list with its filters; `list` is its query string without the question mark. */
export function useBackToList(list: string | undefined): { href: string; go: () => void } {
  const { history } = useRouter()
  const href = list ? `/recordings?${list}` : '/recordings'
  return { href, go: () => history.push(href) }
}

export function BackToList({ list }: { list: string | undefined }) {
  const { href, go } = useBackToList(list)
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
