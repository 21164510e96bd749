"""`make cluster`: several processes of Vitrine on this machine, with the services that they
need.
"""
