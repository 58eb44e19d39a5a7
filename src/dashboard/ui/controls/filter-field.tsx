import { useRouter } from '@tanstack/react-router'
import { useEffect, useLayoutEffect, useRef } from 'react'
import { SearchField, showValue, type SearchFieldProps } from './search-field.tsx'

/** A search field whose text is in the URL. Back and a button that clears the filter also drop a text just typed. */
export function FilterField({ value, onSearch, ref, ...props }: SearchFieldProps) {
  const own = useRef<HTMLInputElement>(null)
  const field = ref ?? own
  const goesBack = useRef(false)
  const router = useRouter()
  useLayoutEffect(
    // The value does not change if the filter is cleared before the page has shown the search.
    () => router.subscribe('onResolved', () => showValue(field, value)),
    [router, field, value],
  )
  useEffect(() => {
    const goBack = () => {
      goesBack.current = true
      field.current?.blur()
      goesBack.current = false
    }
    // Not every browser moves the focus to the button that is used.
    const leave = ({ target }: MouseEvent) => {
      if (target instanceof Element && target.closest('button, a')) field.current?.blur()
    }
    addEventListener('popstate', goBack)
    addEventListener('click', leave, { capture: true })
    return () => {
      removeEventListener('popstate', goBack)
      removeEventListener('click', leave, { capture: true })
    }
  }, [field])
  return (
    <SearchField
      {...props}
      ref={field}
      value={value}
      onSearch={(text) => {
        // Leaving the field would search on the page that Back has reached.
        if (!goesBack.current) onSearch(text)
      }}
    />
  )
}
