import { Link } from '@tanstack/react-router'

/** A link to the page of a person, beside the link to a recording of that person. */
export function PersonLink({ id, name }: { id: string; name: string }) {
  return (
    <Link
      to="/persons/$id"
      params={{ id }}
      preload={false}
      aria-label={`Person ${name}`}
      className="text-xs text-run-ink underline-offset-3 hover:underline"
    >
      Person
    </Link>
  )
}
