"""What maintainers run: measurements, comparisons with other libraries, and what writes cards and pages."""
